import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import type { Statement } from '../support/statements.ts'

const PREPARABLE = /^\s*(with|select|insert|update|delete|merge|values)\b/i
const FAILURES_MAX = 20
/** Of a table that is not there: a test made it for itself. */
const UNKNOWN_TABLE = '42P01'

/** What the tests sent to the embedded database, each statement once. */
async function statementsIn(folder: string): Promise<Statement[]> {
  const texts = await Promise.all((await readdir(folder)).map((name) => Bun.file(join(folder, name)).text()))
  const lines = new Set(texts.flatMap((text) => text.split('\n').filter(Boolean)))
  return [...lines].map((line): Statement => JSON.parse(line)).filter(({ text }) => PREPARABLE.test(text))
}

/**
 * Has another database, which may be older, read each statement that the tests sent to the embedded one: tables, columns, functions, types and
 * grammar are then as it knows them. Gives what it did not understand. `mayBeNone`: the run may send no statement at all.
 */
export async function understand(
  database: Connection,
  folder: string,
  { mayBeNone }: { mayBeNone: boolean },
): Promise<{ read: number; failures: string[] }> {
  const sql = connectPool(database, 1)
  const names = new Map(
    (await sql<{ oid: number; name: string }[]>`select oid::int, format_type(oid, null) as name from pg_type`).map((type) => [
      type.oid,
      type.name,
    ]),
  )
  const statements = await statementsIn(folder)
  const failures: string[] = statements.length > 0 || mayBeNone ? [] : ['The tests recorded no statement.']
  for (const { text, types } of statements) {
    const of = types.length > 0 ? `(${types.map((type) => names.get(type) ?? 'unknown').join(', ')})` : ''
    try {
      await sql.unsafe(`prepare read${of} as ${text}`)
      await sql.unsafe('deallocate read')
    } catch (error) {
      if ((error as { code?: string }).code !== UNKNOWN_TABLE && failures.length < FAILURES_MAX)
        failures.push(`${String(error)}\n${text.trim()}`)
    }
  }
  await sql.end()
  return { read: statements.length, failures }
}
