import { type Fault, type Hand, openDesk, type Rig, type SeenCall, type SeenCell } from '../../../../plugins/spreadsheet/acceptance.ts'
import type { SpreadsheetAdapter } from '../../../../plugins/spreadsheet/kind.ts'
import type { Call, Simulator } from '../../../support/simulator/simulator.ts'
import { USUAL } from './books.ts'
import { type Google, startGoogle, TOKEN } from './simulator.ts'

const faults: Readonly<Record<Fault, Partial<Simulator['faults']>>> = {
  ignored: { ignore: 1 },
  lost_answer: { loseAnswer: 1, how: 'close' },
  malformed: { malformed: 1 },
  mumbled: { mumbled: 1 },
  error_before: { error500: 1 },
  rate_limited: { rateLimit: 1, retryAfter: 2 },
}

const FILE = '/v4/spreadsheets/[^/]+'
const callIn = ({ at, method, path, query, headers, body }: Call): SeenCall => ({
  at,
  method,
  path,
  query: String(query),
  headers: Object.fromEntries(headers),
  body,
})

function cellsIn(google: Google, spreadsheetId: string, tabId: string): (SeenCell | null)[][] {
  const { rows } = google.tab(spreadsheetId, Number(tabId))
  const width = Math.max(0, ...rows.map(({ length }) => length))
  return rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? null))
}

function act(google: Google, spreadsheetId: string, tabId: string, hand: Hand): void {
  const book = google.books.get(spreadsheetId)!
  const tab = google.tab(spreadsheetId, Number(tabId))
  if (hand.does === 'rename') tab.title = hand.title
  else if (hand.does === 'deleteRow') tab.rows.splice(hand.row, 1)
  else if (hand.does === 'insertRow')
    tab.rows.splice(
      hand.row,
      0,
      hand.cells.map((value) => ({ value })),
    )
  else if (hand.does === 'insertColumn')
    for (const [at, row] of tab.rows.entries()) {
      row.length = Math.max(row.length, hand.column)
      row.splice(hand.column, 0, at === 0 ? { value: hand.header } : undefined)
    }
  else if (hand.does === 'write') tab.rows[hand.row]![hand.column] = { value: hand.text }
  else if (hand.does === 'deleteTab') book.tabs.splice(book.tabs.indexOf(tab), 1, { sheetId: 77, title: 'Other', rows: [], grid: USUAL })
  else if (hand.does === 'lockOut') book.shared = false
  else book.granted = false
}

export function rig(adapter: SpreadsheetAdapter): Rig & { readonly google: Google } {
  const google = startGoogle()
  const origins = Object.fromEntries(adapter.net.map((host) => [host, google.url]))
  const credentials = { accessToken: TOKEN }
  return {
    google,
    credentials,
    badCredentials: { accessToken: 'ya29.wrong-9876543210' },
    settings: {},
    open: (options) => openDesk(adapter, origins, { credentials, settings: {}, ...options }),
    make: async (rows) => ({ spreadsheetId: google.make('Book', rows).id, tabId: '0' }),
    by: async ({ spreadsheetId, tabId }, hand) => act(google, spreadsheetId, tabId, hand),
    cells: async ({ spreadsheetId, tabId }) => cellsIn(google, spreadsheetId, tabId),
    calling: {
      list: '^GET /drive/v3/files$',
      create: '^POST /v4/spreadsheets$',
      tabs: `^GET ${FILE}$`,
      headers: `^GET ${FILE}/values/`,
      writeHeaders: `^PUT ${FILE}/values/`,
      append: `^POST ${FILE}/values/.*:append$`,
      findRows: `^GET ${FILE}/values/`,
      updateRows: `^POST ${FILE}/values:batchUpdate$`,
      read: `^GET ${FILE}/values/`,
    },
    fail(fault, calls) {
      google.calm()
      Object.assign(google.faults, faults[fault], { on: calls })
    },
    calm: () => google.calm(),
    calls: async () => google.requests.map(callIn),
    close: () => google.stop(),
  }
}
