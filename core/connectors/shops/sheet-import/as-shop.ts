import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { ConnectorAdapter, OrderState, PullAsked } from '../../../../plugins/connector/index.ts'
import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import type { SpreadsheetConnection } from '../../sheet-export/sheets.model.ts'
import { type Book, readPage, writeStates } from './book.ts'
import { stateWords, whyWords } from './header-words.ts'
import { findSource } from './sources.queries.ts'

/** People write rows at any time, and nobody calls us when they do. */
const EVERY_MINUTES = 5

/** A tab whose rows are orders, as a shop that is asked for its orders and told what becomes of them. */
export function rowsAsShop(
  { sql }: Pick<Context, 'sql'>,
  { row, mounted }: Pick<SpreadsheetConnection, 'row' | 'mounted'>,
  currency: string,
): ConnectorAdapter {
  const { slug, label, net, credentials, settings, rateWindows, oauth } = mounted.adapter
  /** As it is set up now: a reading that is under way goes on with what was said since. */
  const open = async (): Promise<Book> => {
    const source = await findSource(sql, row.id)
    const { spreadsheetId = null, tabId = null, nameHeader: name = null, stateHeader: state = null } = source ?? {}
    if (!source || spreadsheetId === null || tabId === null || name === null || state === null)
      throw new AdapterFailure('refused', false, 'Nobody has said yet which tab holds the orders: POST …/configure does.')
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
    pull: async (own: AdapterContext, asked: PullAsked) => readPage(await open(), own, asked.cursor),
    async pushStates(own: AdapterContext, states: readonly OrderState[]) {
      const book = await open()
      await writeStates(book, own, new Map(states.map((state) => [state.externalId, wordsOf(state, book.source.language)])))
    },
  } as ConnectorAdapter
}

function wordsOf({ why, message, status, carrier, trackingId }: OrderState, language: HeaderLanguage): string {
  if (why !== null) return whyWords(why, message ?? null, language)
  return status === null ? stateWords('taken', language) : stateWords(status, language, carrier, trackingId)
}
