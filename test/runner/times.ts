import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What each file took the last time, on this machine: a hint for the order, worth nothing else. */
const FILE = join(tmpdir(), 'serai-test-times.json')
/** A file that was never run here. */
const UNKNOWN_MS = 3_000
/** Those that take long on any machine. */
const LONG: Readonly<Record<string, number>> = {
  'test/faults/burst.test.ts': 55_000,
  'test/interface/fuzz.test.ts': 45_000,
  'test/faults/database-away.test.ts': 45_000,
  'test/plugins/commands.test.ts': 35_000,
  'test/faults/exactly-once.test.ts': 35_000,
  'test/core/orders/order-races.test.ts': 30_000,
  'test/core/fulfilment/dispatch.test.ts': 30_000,
  'test/plugins/approval.test.ts': 30_000,
  'test/faults/stop.test.ts': 30_000,
  'test/plugins/hostile.test.ts': 30_000,
  'test/faults/windows.test.ts': 30_000,
  'test/core/money/payouts.test.ts': 25_000,
  'test/core/connectors/sheets-airtable.test.ts': 25_000,
  'test/faults/guests.test.ts': 25_000,
  'test/core/connectors/channels.test.ts': 20_000,
  'test/adapters/payment/payment.test.ts': 20_000,
  'test/adapters/carrier/carrier.test.ts': 20_000,
  'test/core/assistant/tasks-kill.test.ts': 20_000,
  'test/core/assistant/tasks.test.ts': 20_000,
  'test/core/integrations/oauth-renewal.test.ts': 20_000,
  'test/core/logistics/submission.test.ts': 20_000,
  'test/core/logistics/labels.test.ts': 20_000,
  'test/adapters/spreadsheet/spreadsheet.test.ts': 20_000,
  'test/core/money/remittances/remittances-model.test.ts': 20_000,
  'test/plugins/sandbox.test.ts': 20_000,
  'test/plugins/hot-swap.test.ts': 20_000,
  'test/core/data/checks.test.ts': 20_000,
  'test/core/shop/catalog-sheets.test.ts': 20_000,
  'test/core/shop/catalog-imports.test.ts': 20_000,
  'test/adapters/carrier/server.test.ts': 20_000,
  'test/interface/credentials.test.ts': 20_000,
  'test/interface/permissions.test.ts': 20_000,
  'test/plugins/types.test.ts': 20_000,
  'test/interface/openapi.test.ts': 15_000,
  'test/interface/valid.test.ts': 15_000,
  'test/core/assistant/mcp.test.ts': 15_000,
  'test/core/logistics/quota-waiting.test.ts': 15_000,
  'test/faults/erasure.test.ts': 15_000,
  'test/faults/first-import.test.ts': 15_000,
  'test/faults/kill.test.ts': 15_000,
  'test/faults/inventory.test.ts': 15_000,
  'test/faults/replica.test.ts': 15_000,
  'test/core/money/payment-races.test.ts': 15_000,
}

export type Times = Record<string, number>

export const readTimes = (): Promise<Times> =>
  Bun.file(FILE)
    .json()
    .catch(() => ({}))

export const writeTimes = (times: Times) => Bun.write(FILE, JSON.stringify(times)).catch(() => {})

export const expectedMs = (times: Times, stage: string, file: string) => times[`${stage} ${file}`] ?? LONG[file] ?? UNKNOWN_MS
