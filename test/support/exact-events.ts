import { mock } from 'bun:test'
import * as emit from '../../core/platform/webhooks/emit.ts'
import { findEventDeclaration } from '../../core/platform/webhooks/events.ts'
import { strayIn } from './exact.ts'
import { pretences } from './tell.ts'

const { emitWebhook, emitWebhookTo } = emit
let observe: (event: emit.NewEvent) => void = () => {}

// The functions with which everything emits also show each event to the watcher.
mock.module('../../core/platform/webhooks/emit.ts', () => ({
  ...emit,
  emitWebhook(...given: Parameters<typeof emitWebhook>) {
    for (const event of given[1]) observe(event)
    return emitWebhook(...given)
  },
  emitWebhookTo(...given: Parameters<typeof emitWebhookTo>) {
    for (const event of given[2]) observe(event)
    return emitWebhookTo(...given)
  },
}))

/** Holds every event that is emitted in this process against what its feature declares. Gives what was not as declared. */
export function watchEvents(): () => readonly string[] {
  const strays = new Set<string>()
  observe = ({ type, data }) => {
    const stray = pretences.has(data) ? undefined : strayIn(findEventDeclaration(type).data, data)
    if (stray) strays.add(`${type} ${stray}`)
  }
  return () => [...strays]
}
