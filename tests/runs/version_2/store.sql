BEGIN TRANSACTION;
CREATE TABLE definitions (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (kind, name)
) WITHOUT ROWID;
INSERT INTO "definitions" VALUES('data set','crabs','e4f635bc7a012672');
INSERT INTO "definitions" VALUES('data set','ida_diabetis','08458dc2405d4071');
INSERT INTO "definitions" VALUES('data set','ida_heart','2c837d8d9744505d');
INSERT INTO "definitions" VALUES('data set','ida_titanic','280c970519925e8b');
INSERT INTO "definitions" VALUES('method','ARD-SPAN on crabs','SVMClassifier(C=1.0, bias=''auto'', categorical_features=''from_dtype'', class_weight=None, combine=''best'', cv=5, kernel=''ard'', loss=''squared_hinge'', n_jobs=None, n_restarts=0, random_state=0, searcher=None, selection=''span'', verbose=0)');
INSERT INTO "definitions" VALUES('method','GP-ARD on ida_diabetis','Pipeline(steps=[(''standardscaler'', StandardScaler()), (''gaussianprocessclassifier'', GaussianProcessClassifier(kernel=1**2 * RBF(length_scale=[1, 1, 1, 1, 1, 1, 1, 1]), random_state=0))])');
INSERT INTO "definitions" VALUES('method','LINEAR on ida_heart','Pipeline(steps=[(''standardscaler'', StandardScaler()), (''logisticregressioncv'', LogisticRegressionCV(max_iter=1000, random_state=0, scoring=''accuracy''))])');
INSERT INTO "definitions" VALUES('method','RBF-LOO on ida_heart','LSSVMClassifier(categorical_features=''from_dtype'', class_weight=None, cv=5, kernel=''gaussian'', n_jobs=None, n_restarts=0, random_state=0, regularization=1.0, searcher=None, selection=''loo'', verbose=0)');
INSERT INTO "definitions" VALUES('method','RBF-LOO on ida_titanic','LSSVMClassifier(categorical_features=''from_dtype'', class_weight=None, cv=5, kernel=''gaussian'', n_jobs=None, n_restarts=0, random_state=0, regularization=1.0, searcher=None, selection=''loo'', verbose=0)');
INSERT INTO "definitions" VALUES('method','SVM on crabs','Pipeline(steps=[(''standardscaler'', StandardScaler()), (''svc'', SVC(gamma=0.5, random_state=0))])');
INSERT INTO "definitions" VALUES('method','SVM-GRID on ida_heart','GridSearchCV(cv=5, estimator=Pipeline(steps=[(''standardscaler'', StandardScaler()), (''svc'', SVC(random_state=0))]), param_grid={''svc__C'': array([1.e-03, 1.e-02, 1.e-01, 1.e+00, 1.e+01, 1.e+02, 1.e+03]), ''svc__gamma'': array([7.69230769e-05, 7.69230769e-04, 7.69230769e-03, 7.69230769e-02, 7.69230769e-01, 7.69230769e+00, 7.69230769e+01])})');
CREATE TABLE environments (
    id INTEGER PRIMARY KEY,
    description TEXT NOT NULL UNIQUE
);
INSERT INTO "environments" VALUES(1,'{"kernelwise": "0.1.0+adc8aa35", "python": "3.11.7", "numpy": "2.4.6", "scipy": "1.17.1", "scikit-learn": "1.9.1", "joblib": "1.6.0", "processor": "AMD EPYC", "cores": 2, "system": "Linux x86_64"}');
CREATE TABLE results (
    dataset TEXT NOT NULL,
    split TEXT NOT NULL,
    number INTEGER NOT NULL,
    method TEXT NOT NULL,
    seed INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'skipped')),
    message TEXT NOT NULL,
    error, baseline, inner_error, n_train, n_test, wall_seconds, cpu_seconds, counters, learnt, predictions_hash,
    environment INTEGER NOT NULL REFERENCES environments (id),
    finished_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    PRIMARY KEY (dataset, split, number, method, seed)
) WITHOUT ROWID;
INSERT INTO "results" VALUES('crabs','generated',0,'ARD-SPAN',0,'done','',0.025,0.5,0.075,80,120,1.37403937000044606975e-01,1.32670162999999785569e-01,'{"evaluations": 35, "factorizations": 203}','{"C": 131516.0746850963, "kernel": "Gaussian", "measures": {"features": 100.0, "support_vectors": 14.0, "test_alignment": 0.028374212893534163, "training_alignment": 0.022850090764768443}, "relevance": [0.001122, 0.665727, 0.287865, 0.027455, 0.017831], "values": [1.9471183961316707e-05, 0.0014917005311075018, 0.0006117737013631962, 9.415135014895219e-05, 0.0048438694003002485]}','0dda2dc7df2d16ad',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('crabs','generated',0,'ARD-SPAN',1,'done','',0.025,0.5,0.0625,80,120,8.76864860001660417765e-02,0.0839178920000001,'{"evaluations": 35, "factorizations": 200}','{"C": 131516.0746850963, "kernel": "Gaussian", "measures": {"features": 100.0, "support_vectors": 14.0, "test_alignment": 0.028374212893534163, "training_alignment": 0.022850090764768443}, "relevance": [0.001122, 0.665727, 0.287865, 0.027455, 0.017831], "values": [1.9471183961316707e-05, 0.0014917005311075018, 0.0006117737013631962, 9.415135014895219e-05, 0.0048438694003002485]}','0dda2dc7df2d16ad',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('crabs','generated',0,'SVM',0,'done','',0.15,0.5,NULL,80,120,2.25191699996685201767e-03,2.24859100000029954458e-03,'{}','{"measures": {"features": 100.0, "support_vectors": 47.0, "test_alignment": 0.11261181165871097, "training_alignment": 0.13719925020586538}}','0925a0cbbdd81ed7',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('crabs','generated',0,'SVM',1,'done','',0.15,0.5,NULL,80,120,2.27095400009602599311e-03,2.26711800000023444567e-03,'{}','{"measures": {"features": 100.0, "support_vectors": 47.0, "test_alignment": 0.11261181165871097, "training_alignment": 0.13719925020586538}}','0925a0cbbdd81ed7',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('ida_diabetis','generated',10,'GP-ARD',0,'skipped','GP-ARD is tried on up to 250 rows, not 468',NULL,NULL,NULL,NULL,NULL,NULL,NULL,'{}','{}','',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('ida_heart','published',0,'LINEAR',0,'done','',0.25,0.44,NULL,170,100,9.14007589999528136104e-02,8.5606362000000046919e-02,'{}','{}','9872bacb5140edda',1,'2026-11-16T18:43:10Z');
INSERT INTO "results" VALUES('ida_heart','published',0,'RBF-LOO',0,'done','',0.21,0.44,1.23529411764705887577e-01,170,100,1.32838774999981978908e-01,0.0766646849999999,'{"evaluations": 11, "factorizations": 47}','{"kernel": "Gaussian", "regularization": 0.0017957212308199173, "relevance": [0.002006, 0.027947, 0.197421, 0.007613, 0.021481, 0.018887, 0.013209, 0.059608, 0.070304, 0.079711, 0.037344, 0.244161, 0.220308], "values": [2.1110934565216816e-05]}','2fadab3f9665cd07',1,'2026-11-16T18:43:10Z');
INSERT INTO "results" VALUES('ida_heart','published',0,'SVM-GRID',0,'done','',0.19,0.44,1.29411764705882448289e-01,170,100,1.33778365500006657384e+00,1.26323588900000016721e+00,'{"fits": 246}','{"measures": {"features": 100.0, "support_vectors": 96.0, "test_alignment": 0.2790574536339328, "training_alignment": 0.3935038613026955}, "parameters": {"svc__C": 1.0, "svc__gamma": 0.007692307692307693}}','0cd7a8c8e4eb0a6e',1,'2026-11-16T18:43:11Z');
INSERT INTO "results" VALUES('ida_heart','published',999,'LINEAR',0,'failed','ValueError: the set ''ida_heart'' has no published split 999; it has published 0 to 4; generated 0 to 99; folds 0 to 9
Traceback (most recent call last):
  File "src/kernelwise/experiments/runner.py", line 71, in __call__
    return CellResult.done(cell, self.trial(cell), environment())
                                 ^^^^^^^^^^^^^^^^
  File "src/kernelwise/experiments/benchmark.py", line 24, in __call__
    X_train, y_train, X_test, y_test = named.split(kind, int(number))
                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "src/kernelwise/data/named_set.py", line 90, in split
    self._check_split(kind, number)
  File "src/kernelwise/data/named_set.py", line 109, in _check_split
    raise ValueError(f"the set ''{self.name}'' has no {kind} split {number}; it has {there}")
ValueError: the set ''ida_heart'' has no published split 999; it has published 0 to 4; generated 0 to 99; folds 0 to 9
',NULL,NULL,NULL,NULL,NULL,2.80219999240216566249e-05,2.71700000000763e-05,'{}','{}','',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('ida_titanic','generated',2,'RBF-LOO',0,'done','',2.28668941979522172269e-01,3.25694783032666967947e-01,1.66666666666666657414e-01,150,2051,2.20259829998212808277e-02,2.17133659999997341571e-02,'{"evaluations": 17, "factorizations": 53}','{"kernel": "Gaussian", "regularization": 0.1699702557310049, "relevance": [0.162903, 0.117964, 0.719134], "values": [14.139954630202899]}','d9410ac8f125decb',1,'2026-11-16T18:43:12Z');
INSERT INTO "results" VALUES('ida_titanic','generated',10,'RBF-LOO',0,'done','',2.51097025841053145267e-01,3.19843978547050211691e-01,0.24,150,2051,1.96401789999072207137e-02,1.93080969999996909791e-02,'{"evaluations": 12, "factorizations": 48}','{"kernel": "Gaussian", "regularization": 0.001808531590141609, "relevance": [0.66546, 0.022144, 0.312396], "values": [0.062161077242571174]}','c6cb1265e32ffbce',1,'2026-11-16T18:43:12Z');
COMMIT;
