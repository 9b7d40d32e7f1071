import type { AdapterContext } from '../../../../plugins/adapter.ts'
import type { ConnectorAdapter, OrderState, PullAsked } from '../../../../plugins/connector/index.ts'
import { CONTRACT } from '../../../../plugins/connector/kind.ts'
import type { HeaderLanguage } from '../../../../plugins/spreadsheet/model.ts'
import type { Context } from '../../../context.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import type { SpreadsheetConnection } from '../../sheet-export/sheets.model.ts'
import { type OrderSheet, readOrderPage, writeRowStates } from './order-sheet.ts'
import { findRowSource } from './row-sources.queries.ts'
import { describeImportProblem, describeOrderState } from './sheet-texts.ts'

/** Minutes between two readings: users write rows at any time, and no webhook reports it. */
const EVERY_MINUTES = 5

/** Creates a connector over the rows of a tab, which are pulled as orders and receive the orders' states. */
export function createRowsConnector(
  { sql }: Pick<Context, 'sql'>,
  { row, mounted }: Pick<SpreadsheetConnection, 'row' | 'mounted'>,
  currency: string,
): ConnectorAdapter {
  const { slug, label, net, credentials, settings, rateWindows, oauth } = mounted.adapter
  /** Reads the present setup, so that a pull that is under way uses later changes. */
  const open = async (): Promise<OrderSheet> => {
    const source = await findRowSource(sql, row)
    const { spreadsheetId = null, tabId = null, nameHeader: name = null, stateHeader: state = null } = source ?? {}
    if (!source || spreadsheetId === null || tabId === null || name === null || state === null)
      throw new AdapterFailure('refused', 'No tab with orders is set. POST …/configure sets one.', { wasSent: false })
    return { sql, key: row.key, adapter: mounted.adapter, source, sheet: { spreadsheetId, tabId }, headers: { name, state }, currency }
  }
  return {
    kind: 'connector',
    contract: CONTRACT,
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
    pull: async (own: AdapterContext, request: PullAsked) => readOrderPage(await open(), own, request.cursor),
    async pushStates(own: AdapterContext, states: readonly OrderState[]) {
      const book = await open()
      await writeRowStates(book, own, new Map(states.map((state) => [state.externalId, stateTextOf(state, book.source.language)])))
    },
  } as ConnectorAdapter
}

function stateTextOf({ why, message, status, carrier, trackingId }: OrderState, language: HeaderLanguage): string {
  if (why !== null) return describeImportProblem(why, message ?? null, language)
  return status === null ? describeOrderState('taken', language) : describeOrderState(status, language, carrier, trackingId)
}
