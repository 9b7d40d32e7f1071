import { expect, test } from 'bun:test'
import { acceptanceTable, README } from './acceptance-table.ts'

test('the table of gateways says what they do and how the acceptance suite finds them', async () => {
  const told = await acceptanceTable()
  if (process.env.UPDATE_DOCS === '1') await Bun.write(README, told)
  expect((await Bun.file(README).text()).trimEnd()).toBe(told.trimEnd())
  expect(told).not.toMatch(/\/[1-9]\d* \|$/m)
}, 60_000)
