import type { Room, Share } from './dispatch.queries.ts'
import { FRESH_ROOM, type Lane, SLOW_ROOM } from './lane.ts'

/** Deliveries of one project that a process claims freely. */
const FREE_OF_PROJECT_MAX = 500
/** Maximum claimed deliveries of one project. Above the free number, its endpoints get the room of slow ones. */
const HELD_OF_PROJECT_MAX = 700

const FRESH_SHARE: Share = { places: FREE_OF_PROJECT_MAX, others: FRESH_ROOM }

/** Computes the room beside the held deliveries, so that slow endpoints of one project do not block other projects. */
export function roomBeside(lanes: ReadonlyMap<string, Lane>, total: number): Room {
  const held = new Map<string, number>()
  for (const lane of lanes.values()) held.set(lane.projectId, (held.get(lane.projectId) ?? 0) + lane.held)
  const shares = new Map([...held].map(([projectId, count]) => [projectId, remainingShare(count)]))
  const byEndpoint = new Map([...lanes].map(([id, lane]) => [id, isCrowded(held.get(lane.projectId) ?? 0) ? lane.slowRoom : lane.room]))
  return { total, others: FRESH_ROOM, byEndpoint, projects: { byId: shares, others: FREE_OF_PROJECT_MAX } }
}

/** Returns the share of a project in the requested room. */
export const shareOf = ({ projects }: Room, projectId: string): Share => projects?.byId.get(projectId) ?? FRESH_SHARE

const isCrowded = (held: number) => held >= FREE_OF_PROJECT_MAX

const remainingShare = (held: number): Share =>
  isCrowded(held)
    ? { places: Math.max(0, HELD_OF_PROJECT_MAX - held), others: SLOW_ROOM }
    : { places: FREE_OF_PROJECT_MAX - held, others: FRESH_ROOM }
