"""The list of all mutants."""

from of_auto import AUTO
from of_choices import CHOICES
from of_command_line import COMMAND_LINE
from of_gradients import GRADIENTS
from of_hostile_files import HOSTILE_FILES
from of_insight import INSIGHT
from of_judgments import JUDGMENTS
from of_landmarks import LANDMARKS
from of_long_tables import LONG_TABLES
from of_machines import MACHINES
from of_methods import METHODS
from of_reading import READING
from of_report import REPORTS
from of_tables import TABLES
from of_trust import TRUST

MUTANTS = (
    *GRADIENTS,
    *MACHINES,
    *CHOICES,
    *JUDGMENTS,
    *TABLES,
    *TRUST,
    *HOSTILE_FILES,
    *READING,
    *LANDMARKS,
    *LONG_TABLES,
    *AUTO,
    *INSIGHT,
    *COMMAND_LINE,
    *METHODS,
    *REPORTS,
)
