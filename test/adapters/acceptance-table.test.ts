import { expect, test } from 'bun:test'
import { adaptersFolder, platforms } from '../support/platforms.ts'
import { acceptanceTable } from './acceptance-table.ts'

test('the table of carriers says what they do and how the acceptance suite finds them', async () => {
  const told = await acceptanceTable(await platforms())
  console.log(told)
  const file = Bun.file(`${adaptersFolder}/README.md`)
  if (process.env.UPDATE_DOCS === '1') await Bun.write(file, told)
  expect(await file.text()).toBe(told)
  expect(told).not.toMatch(/\/[1-9]\d* \|$/m)
}, 60_000)
