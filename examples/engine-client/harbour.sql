CREATE TABLE dbo.boats (
  id int PRIMARY KEY,
  name varchar(80) NOT NULL,
  length_m decimal(5, 1)
);
