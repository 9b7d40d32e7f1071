import { type Fault, type Hand, openDesk, type Rig, type SeenCall, type SeenCell } from '../../../../plugins/spreadsheet/acceptance.ts'
import type { SpreadsheetAdapter } from '../../../../plugins/spreadsheet/kind.ts'
import type { Call, Simulator } from '../../../support/simulator/simulator.ts'
import { newField, newId, type Table } from './bases.ts'
import { type Airtable, startAirtable, TOKEN, WORKSPACE } from './simulator.ts'

const faults: Readonly<Record<Fault, Partial<Simulator['faults']>>> = {
  ignored: { ignore: 1 },
  lost_answer: { loseAnswer: 1, how: 'close' },
  malformed: { malformed: 1 },
  mumbled: { mumbled: 1 },
  error_before: { error500: 1 },
  rate_limited: { rateLimit: 1, retryAfter: 2 },
}

/** The field of amounts takes numbers alone, as people have it. */
const types = { Total: 'number' }

const callIn = ({ at, method, path, query, headers, body }: Call): SeenCall => ({
  at,
  method,
  path,
  query: String(query),
  headers: Object.fromEntries(headers),
  body,
})

function cellsIn({ fields, records }: Table): (SeenCell | null)[][] {
  const lines = records.map(({ cells }) => fields.map(({ id }) => (cells[id] === undefined ? null : { value: cells[id] })))
  return [fields.map(({ name }) => ({ value: name })), ...lines]
}

/** Row 0 is that of the fields' names. */
function act(airtable: Airtable, baseId: string, tableId: string, hand: Hand): void {
  const base = airtable.bases.get(baseId)!
  const table = airtable.table(baseId, tableId)
  if (hand.does === 'rename') table.name = hand.title
  else if (hand.does === 'deleteRow') table.records.splice(hand.row - 1, 1)
  else if (hand.does === 'insertRow') {
    const cells = Object.fromEntries(hand.cells.map((text, at) => [table.fields[at]!.id, text]))
    table.records.splice(hand.row - 1, 0, { id: newId('rec'), cells })
  } else if (hand.does === 'insertColumn') {
    newField(table, hand.header, 'singleLineText')
    table.fields.splice(hand.column, 0, ...table.fields.splice(-1))
  } else if (hand.does === 'write') table.records[hand.row - 1]!.cells[table.fields[hand.column]!.id] = hand.text
  else if (hand.does === 'deleteTab') base.tables = airtable.make('Other').tables
  else if (hand.does === 'lockOut') base.shared = false
  else base.removed = true
}

const TABLES = '/v0/meta/bases/app[^/]+/tables'
const RECORDS = '/v0/app[^/]+/tbl[^/]+'

export function rig(adapter: SpreadsheetAdapter): Rig & { readonly airtable: Airtable } {
  const airtable = startAirtable()
  airtable.state.page = 50
  const origins = Object.fromEntries(adapter.net.map((host) => [host, airtable.url]))
  const given = { credentials: { accessToken: TOKEN }, settings: { workspaceId: WORKSPACE } }
  return {
    airtable,
    ...given,
    badCredentials: { accessToken: 'oaa.wrong-9876543210' },
    open: (options) => openDesk(adapter, origins, { ...given, ...options }),
    async make(rows) {
      const { id, tables } = airtable.make('Base', rows, types)
      return { spreadsheetId: id, tabId: tables[0]!.id }
    },
    by: async ({ spreadsheetId, tabId }, hand) => act(airtable, spreadsheetId, tabId, hand),
    cells: async ({ spreadsheetId, tabId }) => cellsIn(airtable.table(spreadsheetId, tabId)),
    calling: {
      list: '^GET /v0/meta/bases$',
      create: '^POST /v0/meta/bases$',
      tabs: `^GET ${TABLES}$`,
      headers: `^GET ${TABLES}$`,
      writeHeaders: `^POST ${TABLES}/tbl[^/]+/fields$`,
      append: `^POST ${RECORDS}$`,
      findRows: `^POST ${RECORDS}/listRecords$`,
      updateRows: `^PATCH ${RECORDS}$`,
      read: `^POST ${RECORDS}/listRecords$`,
    },
    fail(fault, calls) {
      airtable.calm()
      Object.assign(airtable.faults, faults[fault], { on: calls })
    },
    calm: () => airtable.calm(),
    calls: async () => airtable.requests.map(callIn),
    close: () => airtable.stop(),
  }
}
