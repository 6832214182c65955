SELECT step, loss FROM metrics WHERE step=10 AND loss>0.5;
UPDATE runs SET step=11, loss=0.4 WHERE id=7;
CREATE TABLE t (step INT DEFAULT 0);
