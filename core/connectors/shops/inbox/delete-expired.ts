import type { Context } from '../../../context.ts'
import { deleteExpiredInstallLinks } from '../install/install-links.queries.ts'
import { deleteOldPushMarks } from '../orders/shop-orders.queries.ts'
import { deleteOldReceivedWebhooks } from './received-webhooks.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.deleteExpired': Record<string, unknown>
  }
}

const KEPT_DAYS = 30
/** Days after which a status change that could not be pushed to a shop is dropped. */
const TOLD_WITHIN_DAYS = 60
const FORGOTTEN_AT_ONCE = 1_000

/** Deletes old webhooks, links and unsent status changes. */
export async function deleteOldShopData({ sql }: Context): Promise<void> {
  await deleteExpiredInstallLinks(sql)
  while ((await deleteOldReceivedWebhooks(sql, KEPT_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
  while ((await deleteOldPushMarks(sql, TOLD_WITHIN_DAYS, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE);
}
