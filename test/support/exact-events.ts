import { observeEvents } from '../../core/platform/webhooks/emit.ts'
import { findEventDeclaration } from '../../core/platform/webhooks/events.ts'
import { strayIn } from './exact.ts'
import { pretences } from './tell.ts'

/** Holds every event that is emitted in this process against what its feature declares. Gives what was not as declared. */
export function watchEvents(): () => readonly string[] {
  const strays = new Set<string>()
  observeEvents(({ type, data }) => {
    const stray = pretences.has(data) ? undefined : strayIn(findEventDeclaration(type).data, data)
    if (stray) strays.add(`${type} ${stray}`)
  })
  return () => [...strays]
}
