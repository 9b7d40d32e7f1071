import { projectIdOf } from '../../data/project-ids.ts'
import { afterCommit, type Tx } from '../../data/sql.ts'
import type { Subscribers } from '../../data/subscribers.ts'
import type { Audience } from './gather-hints.ts'
import type { LiveHint } from './live.model.ts'
import { liveHubOf } from './live-hub.ts'
import { hintsOfChange, hintsOfEvent } from './topics.ts'

/** Announces hints once the transaction has committed. */
function announce(tx: Tx, audience: Audience, hints: readonly LiveHint[]): void {
  if (hints.length === 0) return
  afterCommit(tx, (sql) => {
    const hub = liveHubOf(sql)
    for (const hint of hints) hub?.announce(audience, hint)
  })
}

const announceAccessChange = (tx: Tx, audience: Audience) => afterCommit(tx, (sql) => liveHubOf(sql)?.announceAccessChange(audience))

/** Turns what features publish into hints, which are announced after the commit. */
export const liveSubscribers: Subscribers = {
  async 'webhook.emitted'(tx, events) {
    for (const event of events) announce(tx, `project ${event.projectId}`, hintsOfEvent(event))
  },
  async 'audit.recorded'(tx, { of, changes }) {
    const audience = `project ${'storeId' in of ? projectIdOf(of.storeId) : of.projectId}` as const
    announce(tx, audience, changes.flatMap(hintsOfChange))
    if (changes.some(({ what }) => what === 'store.owner_changed')) announceAccessChange(tx, audience)
  },
  async 'confirmation.changed'(tx, { projectId, orderId }) {
    announce(tx, `project ${projectId}`, [{ topic: 'confirmation', id: orderId }])
  },
  async 'order.annotated'(tx, { projectId, orderId }) {
    announce(tx, `project ${projectId}`, [{ topic: 'order', id: orderId }])
  },
  async 'users.notified'(tx, { userIds }) {
    for (const userId of userIds) announce(tx, `user ${userId}`, [{ topic: 'notification', id: null }])
  },
  async 'member.restricted'(tx, { userId }) {
    announceAccessChange(tx, `user ${userId}`)
  },
  async 'store.deleted'(tx, { store: { projectId } }) {
    announceAccessChange(tx, `project ${projectId}`)
  },
}
