import type { Room, Share } from './dispatch.queries.ts'
import { FRESH_ROOM, type Lane, SLOW_ROOM } from './lane.ts'

/** Of the deliveries in the hands of a process, those of one project that are taken up freely. */
const FREE_OF_PROJECT_MAX = 500
/** From there on each of its endpoints has no more than a slow one: then those that answer have places beside those that do not. */
const HELD_OF_PROJECT_MAX = 700

const FRESH_SHARE: Share = { places: FREE_OF_PROJECT_MAX, others: FRESH_ROOM }

/** What may be taken up beside what the lanes hold: no project's slow endpoints take the places of others. */
export function roomBeside(lanes: ReadonlyMap<string, Lane>, total: number): Room {
  const held = new Map<string, number>()
  for (const lane of lanes.values()) held.set(lane.projectId, (held.get(lane.projectId) ?? 0) + lane.held)
  const shares = new Map([...held].map(([projectId, count]) => [projectId, shareBeside(count)]))
  const byEndpoint = new Map([...lanes].map(([id, lane]) => [id, isCrowded(held.get(lane.projectId) ?? 0) ? lane.slowRoom : lane.room]))
  return { total, others: FRESH_ROOM, byEndpoint, projects: { byId: shares, others: FREE_OF_PROJECT_MAX } }
}

/** What may be taken up of a project, as it was asked for. */
export const shareOf = ({ projects }: Room, projectId: string): Share => projects?.byId.get(projectId) ?? FRESH_SHARE

const isCrowded = (held: number) => held >= FREE_OF_PROJECT_MAX

const shareBeside = (held: number): Share =>
  isCrowded(held)
    ? { places: Math.max(0, HELD_OF_PROJECT_MAX - held), others: SLOW_ROOM }
    : { places: FREE_OF_PROJECT_MAX - held, others: FRESH_ROOM }
