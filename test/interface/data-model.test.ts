import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { connectPool } from '../../core/data/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { listTables } from '../support/schema.ts'
import { DATA_MODEL, dataModelPages } from './data-model.ts'

const sql = connectPool(await freshDatabase(), 1)
afterAll(() => sql.end())
const pages = await dataModelPages(sql)

test('data model: the pages say what the database says', async () => {
  // Made anew by: bun test/interface/data-model.ts
  expect(readdirSync(DATA_MODEL).sort()).toEqual([...pages.keys()].sort())
  for (const [path, text] of pages) expect((await Bun.file(join(DATA_MODEL, path)).text()).split('\n')).toEqual(text.split('\n'))
})

test('data model: every table stands on a page and has a comment that says what a row is', async () => {
  const told = [...pages.values()].join('\n')
  const tables = (await listTables(sql)).filter((name) => name !== 'schema_migrations')
  expect(tables.filter((name) => !told.includes(`| \`${name}\` |`))).toEqual([])
  const without = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and obj_description(oid) is null and relname <> 'schema_migrations'`
  expect(without.map(({ name }) => name)).toEqual([])
})

test('data model: a page has at most 10 KB', () => {
  for (const [path, text] of pages) expect([path, text.length <= 10_240]).toEqual([path, true])
})
