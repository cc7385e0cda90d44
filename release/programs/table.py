"""A table as people have them: semicolons, decimal commas, gaps, an id, text among the columns."""

import csv
import random

random.seed(0)
with open("patients.csv", "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file, delimiter=";")
    writer.writerow(["patient", "age", "weight", "pressure", "smoker", "ward", "outcome"])
    for number in range(240):
        age, weight, smoker = random.gauss(55, 12), random.gauss(78, 14), random.random() < 0.3
        risk = (age - 55) / 12 + 1.5 * smoker + random.gauss(0, 0.7)
        writer.writerow(
            [
                f"P{number:04}",
                round(age),
                f"{weight:.1f}".replace(".", ","),
                "" if random.random() < 0.1 else round(random.gauss(130, 15)),
                "yes" if smoker else "no",
                random.choice(["north", "south", "east"]),
                "ill" if risk > 0.8 else "well",
            ]
        )
