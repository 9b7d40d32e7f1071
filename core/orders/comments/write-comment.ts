import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import { findPublicUser } from '../../identity/auth/account.ts'
import { sendNotifications } from '../../identity/users/send-notifications.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { type ActingUser, hasMemberRight } from '../../shop/stores/access.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { lockOrder } from '../orders.queries.ts'
import { mentionTitles } from './comment-messages.ts'
import { commentErrors } from './comments.errors.ts'
import { COMMENT_LIMITS, type NewOrderComment, type OrderComment } from './comments.model.ts'
import { countComments, deleteComment, insertComment, lockComment } from './comments.queries.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published after comments or tags of an order changed, which no webhook reports. */
    'order.annotated': { readonly projectId: string; readonly orderId: string }
  }
}

const READ_ORDERS = ['viewer', 'orders:read'] as const
/** Characters of the comment that a notification quotes. */
const QUOTED_MAX = 500

/**
 * Writes a comment on an order and notifies the members whom it mentions. Throws `not_found`, `limit_reached`, and `invalid_request` for a
 * mention of somebody who may not read the order.
 */
export async function writeComment(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  store: Store,
  orderId: string,
  author: ActingUser,
  { text, mentions = [] }: NewOrderComment,
): Promise<OrderComment> {
  const order = await lockOrder(tx, { storeId: store.id, id: orderId })
  if (!order) throw notFound('The order')
  const key = { projectId: store.projectId, id: orderId }
  if ((await countComments(tx, key)) >= COMMENT_LIMITS.perOrder) throw commentErrors.tooManyComments({ max: COMMENT_LIMITS.perOrder })
  for (const [at, userId] of mentions.entries())
    if (!(await hasMemberRight(tx, store.id, userId, READ_ORDERS))) throw commentErrors.notMember({ field: ['mentions', at] })
  const comment = await insertComment(tx, { projectId: store.projectId, orderId, id: newId('cmt'), userId: author.id, text, mentions })
  const notified = mentions.filter((userId) => userId !== author.id)
  await sendNotifications(tx, await Promise.all(notified.map((userId) => mentionOf(tx, config, userId, comment, order.reference))))
  await publish(tx, 'order.annotated', { projectId: store.projectId, orderId })
  return comment
}

/** Deletes a comment. Throws `not_found`, and `forbidden` for a comment of somebody else unless `isAdmin`. */
export function removeComment(
  { sql }: Pick<Context, 'sql'>,
  store: Store,
  orderId: string,
  commentId: string,
  { id, isAdmin }: ActingUser,
): Promise<void> {
  return transaction(sql, async (tx) => {
    const key = { projectId: store.projectId, id: orderId }
    const comment = await lockComment(tx, key, commentId)
    if (!comment) throw notFound('The comment')
    const mayDelete = comment.userId === id || isAdmin || (await hasMemberRight(tx, store.id, id, ['admin', 'orders:write']))
    if (!mayDelete) throw commentErrors.notYours()
    await deleteComment(tx, key, commentId)
    await publish(tx, 'order.annotated', { projectId: store.projectId, orderId })
  })
}

async function mentionOf(tx: Tx, config: Context['config'], userId: string, { text, writtenBy }: OrderComment, reference: string) {
  const user = await findPublicUser(tx, userId)
  const title = mentionTitles[user?.language ?? config.defaultLanguage]
    .replace('{author}', () => writtenBy.name)
    .replace('{reference}', () => reference)
  return { userId, title, message: text.slice(0, QUOTED_MAX).toWellFormed() }
}
