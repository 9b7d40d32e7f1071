import { expect, test } from 'bun:test'
import { readmeParts, writeReadme } from '../../mutations/table.ts'
import { platforms } from '../../support/platforms.ts'
import { acceptanceTable } from './acceptance-table.ts'

test('the table of carriers says what they do and how the acceptance suite finds them', async () => {
  const told = await acceptanceTable(await platforms())
  console.log(told)
  if (process.env.UPDATE_DOCS === '1') await writeReadme(told, (await readmeParts()).tail)
  expect((await readmeParts()).head.trimEnd()).toBe(told.trimEnd())
  expect(told).not.toMatch(/\/[1-9]\d* \|$/m)
}, 60_000)
