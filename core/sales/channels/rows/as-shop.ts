import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { ConnectorAdapter, PullAsked, StatusPushed } from '../../../../plugins/connector/index.ts'
import type { OrderNote } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../platform/gateway/failure.ts'
import type { SpreadsheetConnection } from '../../sheets/sheets.model.ts'
import { type Book, readPage, writeStates } from './book.ts'
import type { SourceRow } from './sources.queries.ts'
import { stateWords, whyWords } from './words.ts'

/** People write rows at any time, and nobody calls us when they do. */
const EVERY_MINUTES = 5

/** A tab whose rows are orders, as a shop that is asked for its orders and told what becomes of them. */
export function rowsAsShop(
  context: Context,
  { row, mounted }: Pick<SpreadsheetConnection, 'row' | 'mounted'>,
  source: SourceRow | undefined,
  currency: string,
): ConnectorAdapter {
  const { slug, label, net, credentials, settings, rateWindows, oauth } = mounted.adapter
  const book = (): Book => {
    const { spreadsheetId = null, tabId = null } = source ?? {}
    if (!source || spreadsheetId === null || tabId === null)
      throw new AdapterFailure('refused', false, 'Nobody has said yet which tab holds the orders: POST …/configure does.')
    return { sql: context.sql, key: row.key, adapter: mounted.adapter, source, sheet: { spreadsheetId, tabId }, currency }
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
    pull: (own: AdapterContext, asked: PullAsked) => readPage(book(), own, asked.cursor),
    async pushStatus(own: AdapterContext, { externalId, status, carrier, trackingId }: StatusPushed) {
      const at = book()
      await writeStates(at, own, new Map([[externalId, stateWords(status, at.source.language, carrier, trackingId)]]))
    },
    async pushNote(own: AdapterContext, { externalId, why, message }: OrderNote) {
      const at = book()
      const { language } = at.source
      const words = why === null ? stateWords('taken', language) : whyWords(why, message ?? null, language)
      await writeStates(at, own, new Map([[externalId, words]]))
    },
  } as ConnectorAdapter
}
