import type { ChallengeAnswer, InboundRequest } from '../../../../plugins/adapter.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { transaction } from '../../../data/sql.ts'
import { publish } from '../../../data/subscribers.ts'
import { notFound } from '../../../http/errors/errors.ts'
import { openConnection } from '../../../integrations/connections/connection.ts'
import { findConnectionByKey } from '../../../integrations/connections/connections.queries.ts'
import { claimReading, findNamed, listByExternalId, readSoon } from '../payments.queries.ts'
import { mayBeLate, moves } from '../statuses.ts'
import { takeNews } from './apply-gateway-event.ts'
import { answerCallback } from './callback.ts'

declare module '../../../data/subscribers.ts' {
  interface DomainEvents {
    /** Somebody says that a gateway has news of a checkout. Nothing of it is proven: whose it is may ask. */
    'checkout.named': { readonly gateway: string; readonly externalId: string }
  }
}

const ASKED_AGAIN_SECONDS = 3

/** A callback of a store's gateway. */
export async function receive(context: Context, key: string, storeId: string, request: InboundRequest): Promise<ChallengeAnswer> {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row) throw notFound('The connection')
  const connection = openConnection(context, 'payment', row)
  return answerCallback(context, connection, request, async (news, isSigned) => {
    const isSure = isSigned && !mayBeLate(await findNamed(context.sql, row.id, news), news)
    const isApplied = isSure && (await takeNews(context, connection, news)) === 'applied'
    const payment = await findNamed(context.sql, row.id, news)
    // What is held is taken soon, not when it is the poller's turn.
    if (!isSure || (isApplied && news.status === 'authorized')) await lookLater(context, payment?.id)
    if (isApplied && news.status === 'paid' && payment?.fee === null) await lookForFee(context, payment.id)
    return isApplied
  })
}

/**
 * News at an address that names no store, from anybody: the gateway is asked about the checkout that is named, where that can still change,
 * and not so often that the quota of the account goes into it. Nothing else is believed.
 */
export async function beNotified(context: Context, key: string, externalId: string): Promise<void> {
  for (const { id, status } of await listByExternalId(context.sql, key, externalId)) {
    if (moves[status].length === 0) continue
    if (await claimReading(context.sql, id, ASKED_AGAIN_SECONDS)) await lookLater(context, id)
    else await readSoon(context.sql, id)
  }
  await transaction(context.sql, (tx) => publish(tx, 'checkout.named', { gateway: key, externalId }))
}

/** What it keeps a gateway often says only when it is asked, and some know it only after a while. */
const FEE_MINUTES = [1, 60]

async function lookForFee({ sql }: Context, paymentId: string): Promise<void> {
  for (const minutes of FEE_MINUTES) {
    const runAt = new Date(Date.now() + minutes * 60_000)
    await enqueue(sql, 'payments.read', { paymentId }, { key: `fee:${paymentId}:${minutes}`, runAt, maxAttempts: 3 })
  }
}

async function lookLater({ sql }: Context, paymentId: string | undefined): Promise<void> {
  if (paymentId) await enqueue(sql, 'payments.read', { paymentId }, { key: `payment:${paymentId}`, maxAttempts: 3 })
}
