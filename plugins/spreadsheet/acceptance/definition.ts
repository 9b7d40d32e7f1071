import { assertEqual, assertFits, assertUnique, expectFailure } from '../../acceptance/checks.ts'
import { assertDefinition, assertFields, assertRateWindows } from '../../acceptance/definition.ts'
import { CONTRACT } from '../members.ts'
import { Spreadsheet } from '../model.ts'
import { type Draft, HEADERS, rowsOf, tabWith } from './bench.ts'

/** More files than fit on one page of any platform. */
const MANY = 120

/** Cases about the definition, the connection test and the list of files. */
export const definitionCases = (): Draft[] => [
  {
    name: 'the definition is sane',
    async run({ adapter }) {
      assertDefinition(adapter, { name: 'spreadsheet', contract: CONTRACT })
      assertRateWindows(adapter)
      assertFields(adapter)
    },
  },
  {
    name: 'the connection test passes, and wrong credentials are reported as unauthorized',
    async run(bench) {
      const { adapter, rig, open } = bench
      assertEqual(typeof (await adapter.testConnection(open().context)), 'object', 'answer')
      const sheet = await tabWith(bench)
      const { context } = open({ credentials: { ...rig.credentials, ...rig.badCredentials } })
      await expectFailure(adapter.testConnection(context), ['unauthorized'], 'connection test')
      await expectFailure(adapter.append(context, sheet, rowsOf(['ord_1', 'Lina'])), ['unauthorized'], 'append')
    },
  },
  {
    name: 'a created spreadsheet has its headers and its tab, and is listed',
    async run({ adapter, open }) {
      const { context } = open()
      const made = await adapter.create(context, { title: "L'année – طلبات", tab: "Orders 'new'", headers: [...HEADERS] })
      assertFits(Spreadsheet, made, 'spreadsheet')
      const files = await adapter.list(context)
      assertEqual(files.find(({ id }) => id === made.id)?.name, "L'année – طلبات", 'name in the list')
      const tabs = await adapter.tabs(context, made.id)
      assertEqual(tabs, made.tabs, 'tabs')
      assertEqual(tabs[0]?.title, "Orders 'new'", 'title of the tab')
      assertEqual(await adapter.headers(context, { spreadsheetId: made.id, tabId: tabs[0]?.id ?? '' }), HEADERS, 'headers')
    },
  },
  {
    name: 'all spreadsheets are listed, each once',
    async run({ adapter, rig, open }) {
      const made = await Promise.all(Array.from({ length: MANY }, () => rig.make([HEADERS])))
      const ids = (await adapter.list(open().context)).map(({ id }) => id)
      assertUnique(ids, 'spreadsheets')
      assertEqual(made.filter(({ spreadsheetId }) => !ids.includes(spreadsheetId)).length, 0, 'spreadsheets that are not listed')
    },
  },
]
