import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { transaction } from '../../data/sql.ts'
import { sensitiveNeeds } from '../../http/auth/scopes.ts'
import { readList } from '../../http/resource/list.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { csvResponse, exportCsv, exportQuery } from '../../http/table/csv-export.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { invariant } from '../../lib/invariant.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { acceptPayoutLine } from './accept-line.ts'
import { payoutColumns } from './export-payouts.ts'
import { listPayoutLines, sumOutcomes } from './lines/lines.queries.ts'
import {
  GatewayPayout,
  GatewayPayoutDetail,
  GatewayPayoutLine,
  LineAcceptance,
  MISSING_DAYS,
  missingPaymentsQuery,
  PayoutReading,
  payoutLineQuery,
  payoutList,
  UnpaidOut,
} from './payouts.model.ts'
import { findPayout, listMissingPayments, listPayouts, type PayoutRow } from './payouts.queries.ts'
import { presentDetail, presentLine, presentMissingPayment, presentPayout, presentPull } from './present.ts'
import { payoutGateways, requestPull } from './pull-payouts.ts'
import { insertMissingPulls, listPulls } from './pulls.queries.ts'

const describe = tagOperations('Payments')
const ByStore = T.Object({ storeId: Id })
const ByPayout = T.Object({ storeId: Id, payoutId: Id })
const ByLine = T.Object({ storeId: Id, payoutId: Id, lineId: Id })
/** Maximum number of gateways of a store. */
const READINGS_MAX = 100

/** Routes of gateway payouts: lists, lines, export, pull, and acceptance of lines. */
export function gatewayPayouts(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'payouts', prefix: '/v1/stores/:storeId/payouts' })
    .use(context.authority)
    .get(
      '',
      async ({ store, query }) => {
        const found = await readList(sql, payoutList, query, (reader, asked) => listPayouts(reader, store.projectId, asked))
        return { ...found, data: found.data.map(presentPayout) }
      },
      {
        store: ['viewer', sensitiveNeeds.readPayouts],
        params: ByStore,
        query: payoutList.query,
        response: List(GatewayPayout),
        detail: describe(
          'List gateway payouts of a store, newest first; waiting=true selects those with lines that wait for review',
          'listGatewayPayouts',
        ),
      },
    )
    .get(
      '/export.csv',
      ({ store, query, request }) =>
        exportCsv({ request, query, ownerId: store.id, name: 'payouts' }, payoutColumns, async (asked) => {
          const found = await readList(sql, payoutList, asked, (reader, wanted) => listPayouts(reader, store.projectId, wanted))
          return { ...found, data: found.data.map(presentPayout) }
        }),
      {
        store: ['viewer', sensitiveNeeds.readPayouts],
        params: ByStore,
        query: exportQuery(payoutList.query),
        detail: { ...describe('Export gateway payouts as CSV, with the filters of the list', 'exportGatewayPayouts'), ...csvResponse },
      },
    )
    .get(
      '/missing',
      async ({ store, query }) => {
        const found = await readKeysetPage(query, (after, take) =>
          listMissingPayments(sql, store.projectId, query.days ?? MISSING_DAYS, after, take),
        )
        return { ...found, data: found.data.map(presentMissingPayment) }
      },
      {
        store: ['viewer', sensitiveNeeds.readPayouts],
        params: ByStore,
        query: T.Object(missingPaymentsQuery),
        response: List(UnpaidOut),
        detail: describe('List payments that gateways still owe because no payout includes them, oldest first', 'listUnpaidOut'),
      },
    )
    .get(
      '/readings',
      async ({ store, query }) => {
        const found = await readKeysetPage(
          query,
          (after, take) => listPulls(sql, store.projectId, after, take),
          ({ connectionId }) => connectionId,
        )
        return { ...found, data: found.data.map(presentPull) }
      },
      {
        store: ['viewer', sensitiveNeeds.readPayouts],
        params: ByStore,
        query: T.Object(pageQuery),
        response: List(PayoutReading),
        detail: describe('List when the payouts of each gateway were last read, or why reading failed', 'listPayoutReadings'),
      },
    )
    .post(
      '/pull',
      async ({ store, set }) => {
        set.status = 202
        return { data: await pullNow(context, store) }
      },
      {
        store: ['agent', sensitiveNeeds.writePayouts],
        params: ByStore,
        response: { 202: Data(T.Array(PayoutReading)) },
        detail: describe('Pull the payouts of a store’s gateways now; a pull in progress continues', 'pullPayouts'),
      },
    )
    .get(
      '/:payoutId',
      async ({ store, params }) => {
        const payout = await payoutOf(context, store, params.payoutId)
        return { data: presentDetail(payout, await sumOutcomes(sql, payout)) }
      },
      {
        store: ['viewer', sensitiveNeeds.readPayouts],
        params: ByPayout,
        response: Data(GatewayPayoutDetail),
        detail: describe('Read a payout with the totals of its lines', 'readGatewayPayout'),
      },
    )
    .get(
      '/:payoutId/lines',
      async ({ store, params, query }) => {
        const payout = await payoutOf(context, store, params.payoutId)
        // Lines of a payout that has not arrived do not wait for review.
        if (query.waiting && payout.state !== 'posted') return { data: [], nextCursor: null }
        const found = await readKeysetPage(
          query,
          (after, take) => listPayoutLines(sql, payout, { waiting: query.waiting }, lineAfter(after), take),
          ({ line }) => String(line),
        )
        return { ...found, data: found.data.map((line) => presentLine(line, payout)) }
      },
      {
        store: ['viewer', sensitiveNeeds.readPayouts],
        params: ByPayout,
        query: T.Object(payoutLineQuery),
        response: List(GatewayPayoutLine),
        detail: describe('List the lines of a payout, each reconciled with its payment or refund', 'listGatewayPayoutLines'),
      },
    )
    .post(
      '/:payoutId/lines/:lineId/accept',
      async ({ store, params, body }) => {
        const named = await payoutOf(context, store, params.payoutId)
        await transaction(sql, async (tx) =>
          acceptPayoutLine(tx, invariant(await findPayout(tx, named), 'A payout of a store'), params.lineId, body.reason),
        )
        const payout = await payoutOf(context, store, named.id)
        return { data: presentDetail(payout, await sumOutcomes(sql, payout)) }
      },
      {
        store: ['admin', sensitiveNeeds.writePayouts],
        params: ByLine,
        body: LineAcceptance,
        response: Data(GatewayPayoutDetail),
        detail: describe('Accept a line that waits for review, with a reason: it is posted as it is', 'acceptGatewayPayoutLine'),
      },
    )
}

/** Parses the cursor of the list of lines. An invalid cursor starts at the beginning. */
const lineAfter = (after: string | null): number => (after !== null && /^\d{1,9}$/.test(after) ? Number(after) : 0)

async function payoutOf({ sql }: Context, { projectId }: Store, id: string): Promise<PayoutRow> {
  const payout = await findPayout(sql, { projectId, id })
  if (!payout) throw notFound('The payout')
  return payout
}

async function pullNow(context: Context, { projectId }: Store) {
  const { sql } = context
  await insertMissingPulls(sql, payoutGateways(context), projectId)
  await transaction(sql, async (tx) => {
    for (const { connectionId } of await listPulls(tx, projectId, null, READINGS_MAX)) await requestPull(tx, { projectId, connectionId })
  })
  return (await listPulls(sql, projectId, null, READINGS_MAX)).map(presentPull)
}
