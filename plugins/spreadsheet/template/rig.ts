import type { SpreadsheetAdapter } from 'serai/spreadsheet'
import { type Hand, openDesk, type Rig } from 'serai/spreadsheet/acceptance'
import { type File, startSimulator, type Tab, token } from './simulator.ts'

/** Changes a tab as a person would. */
function act(files: Map<string, File>, file: File, tab: Tab, hand: Hand): void {
  if (hand.does === 'rename') tab.name = hand.title
  else if (hand.does === 'deleteRow') tab.rows.splice(hand.row, 1)
  else if (hand.does === 'insertRow') tab.rows.splice(hand.row, 0, [...hand.cells])
  else if (hand.does === 'insertColumn') for (const [at, row] of tab.rows.entries()) row.splice(hand.column, 0, at === 0 ? hand.header : '')
  else if (hand.does === 'write') tab.rows[hand.row]?.splice(hand.column, 1, hand.text)
  else if (hand.does === 'deleteTab') file.tabs = file.tabs.filter((one) => one !== tab)
  else if (hand.does === 'lockOut') file.isShared = false
  else files.delete(file.id)
}

/** Connects the acceptance suite to the simulator: credentials, files, and every way in which the platform can fail. */
export function rig(adapter: SpreadsheetAdapter): Rig {
  const simulator = startSimulator()
  const { files, state } = simulator
  const credentials = { token }
  const placed = (spreadsheetId: string, tabId: string) => {
    const file = files.get(spreadsheetId)
    const tab = file?.tabs.find(({ id }) => id === tabId)
    if (!file || !tab) throw new Error(`There is no ${spreadsheetId}.`)
    return { file, tab }
  }
  const inTab = '/v1/files/[^/]+/tabs/[^/]+'
  return {
    credentials,
    badCredentials: { token: 'wrong-token-9876543210' },
    settings: {},
    open: (options) => openDesk(adapter, { 'api.example.com': simulator.url }, { credentials, settings: {}, ...options }),
    async make(rows) {
      const { id, tabs } = simulator.make(
        'Book',
        'Sheet1',
        rows.map((row) => [...row]),
      )
      return { spreadsheetId: id, tabId: tabs[0]?.id ?? '' }
    },
    async by({ spreadsheetId, tabId }, hand) {
      const { file, tab } = placed(spreadsheetId, tabId)
      act(files, file, tab, hand)
    },
    async cells({ spreadsheetId, tabId }) {
      const { rows } = placed(spreadsheetId, tabId).tab
      const width = Math.max(0, ...rows.map(({ length }) => length))
      const cellOf = (value: string | number | undefined) => (value === undefined || value === '' ? null : { value })
      return rows.map((row) => Array.from({ length: width }, (_, at) => cellOf(row[at])))
    },
    calling: {
      list: '^GET /v1/files$',
      create: '^POST /v1/files$',
      tabs: '^GET /v1/files/[^/]+$',
      headers: `^GET ${inTab}/headers$`,
      writeHeaders: `^PUT ${inTab}/headers$`,
      append: `^POST ${inTab}/rows$`,
      findRows: `^POST ${inTab}/find$`,
      updateRows: `^PATCH ${inTab}/rows$`,
      read: `^GET ${inTab}/rows$`,
    },
    fail: (fault, calls) => void Object.assign(state, { trouble: fault, on: calls }),
    calm: () => void Object.assign(state, { trouble: undefined, on: '' }),
    calls: async () => simulator.calls,
    close: () => simulator.stop(),
  }
}
