CREATE TABLE dbo.books (id int PRIMARY KEY, title varchar(80) NOT NULL);
