import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { ConnectorAdapter, OrderState, PullAsked } from '../../../../plugins/connector/index.ts'
import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import type { SpreadsheetConnection } from '../../sheet-export/sheets.model.ts'
import { type Book, readPage, writeStates } from './book.ts'
import { stateWords, whyWords } from './header-words.ts'
import { findSource } from './sources.queries.ts'

/** Minutes between two readings: users write rows at any time, and no webhook reports it. */
const EVERY_MINUTES = 5

/** Creates a connector over the rows of a tab, which are pulled as orders and receive the orders' states. */
export function rowsAsShop(
  { sql }: Pick<Context, 'sql'>,
  { row, mounted }: Pick<SpreadsheetConnection, 'row' | 'mounted'>,
  currency: string,
): ConnectorAdapter {
  const { slug, label, net, credentials, settings, rateWindows, oauth } = mounted.adapter
  /** Reads the present setup, so that a pull that is under way uses later changes. */
  const open = async (): Promise<Book> => {
    const source = await findSource(sql, row.id)
    const { spreadsheetId = null, tabId = null, nameHeader: name = null, stateHeader: state = null } = source ?? {}
    if (!source || spreadsheetId === null || tabId === null || name === null || state === null)
      throw new AdapterFailure('refused', false, 'No tab with orders is set. POST …/configure sets one.')
    return { sql, key: row.key, adapter: mounted.adapter, source, sheet: { spreadsheetId, tabId }, headers: { name, state }, currency }
  }
  return {
    kind: 'connector',
    contract: 1,
    slug,
    label,
    net,
    credentials,
    settings,
    rateWindows,
    ...(oauth && { oauth }),
    install: oauth ? ['oauth', 'keys'] : ['keys'],
    rereadMinutes: EVERY_MINUTES,
    testConnection: (own: AdapterContext) => mounted.adapter.testConnection(own),
    pull: async (own: AdapterContext, request: PullAsked) => readPage(await open(), own, request.cursor),
    async pushStates(own: AdapterContext, states: readonly OrderState[]) {
      const book = await open()
      await writeStates(book, own, new Map(states.map((state) => [state.externalId, stateTextOf(state, book.source.language)])))
    },
  } as ConnectorAdapter
}

function stateTextOf({ why, message, status, carrier, trackingId }: OrderState, language: HeaderLanguage): string {
  if (why !== null) return whyWords(why, message ?? null, language)
  return status === null ? stateWords('taken', language) : stateWords(status, language, carrier, trackingId)
}
