import { expect, test } from 'bun:test'
import { migrate } from '../../../core/data/database/migrate.ts'
import { connectionString, connectPool } from '../../../core/data/sql.ts'
import { emptyDatabase, freshDatabase } from '../../support/database.ts'

test('several processes that start at once migrate once', async () => {
  const connection = await emptyDatabase()
  const clients = Array.from({ length: 4 }, () => connectPool(connection, 2))
  const newest = await Promise.all(clients.map((sql) => migrate(sql, connectionString(connection))))
  expect(new Set(newest).size).toBe(1)
  const numbers = await clients[0]!<{ number: number }[]>`select number from schema_migrations order by number`
  expect(numbers.at(-1)!.number).toBe(newest[0]!)
  expect(new Set(numbers.map(({ number }) => number)).size).toBe(numbers.length)
  await Promise.all(clients.map((sql) => sql.end()))
})

test('a database that newer code has migrated is refused, with what to do', async () => {
  const connection = await freshDatabase()
  const sql = connectPool(connection, 2)
  await sql`insert into schema_migrations (number, name) values (9999, '9999_from_the_future.sql')`
  expect(migrate(sql, connectionString(connection))).rejects.toThrow(/schema 9999.*Start the version/)
  await sql.end()
})
