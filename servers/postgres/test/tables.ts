/** The tables of the tests. */
export const tables = [
  'CREATE TABLE items (id int PRIMARY KEY, name text NOT NULL)',
  "INSERT INTO items VALUES (1, 'cup'), (2, 'plate')",
  "COMMENT ON TABLE items IS 'Things for sale'",
  "COMMENT ON COLUMN items.name IS 'As printed'",
  'CREATE TABLE orders (id int PRIMARY KEY, item int REFERENCES items (id))',
  'CREATE SEQUENCE numbers',
  'CREATE SCHEMA archive',
  'CREATE TABLE archive.items (old text)',
  "INSERT INTO archive.items VALUES ('once')",
]
