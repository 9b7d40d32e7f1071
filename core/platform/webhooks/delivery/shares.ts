import type { ClaimLimits, ProjectShare } from './dispatch.queries.ts'
import { type EndpointQueue, NEW_ENDPOINT_ROOM, SLOW_ROOM } from './endpoint-queue.ts'

/** Deliveries of one project that a process claims freely. */
const FREE_OF_PROJECT_MAX = 500
/** Maximum claimed deliveries of one project. Above the free number, its endpoints get the room of slow ones. */
const HELD_OF_PROJECT_MAX = 700

const FRESH_SHARE: ProjectShare = { places: FREE_OF_PROJECT_MAX, others: NEW_ENDPOINT_ROOM }

/** Computes the room beside the held deliveries, so that slow endpoints of one project do not block other projects. */
export function computeClaimLimits(lanes: ReadonlyMap<string, EndpointQueue>, total: number): ClaimLimits {
  const countByProject = new Map<string, number>()
  for (const lane of lanes.values()) countByProject.set(lane.projectId, (countByProject.get(lane.projectId) ?? 0) + lane.heldCount)
  const shares = new Map([...countByProject].map(([projectId, count]) => [projectId, remainingShare(count)]))
  const byEndpoint = new Map(
    [...lanes].map(([id, lane]) => [id, isCrowded(countByProject.get(lane.projectId) ?? 0) ? lane.slowRoom : lane.room]),
  )
  return { total, others: NEW_ENDPOINT_ROOM, byEndpoint, projects: { byId: shares, others: FREE_OF_PROJECT_MAX } }
}

/** Returns the share of a project in the requested room. */
export const shareOf = ({ projects }: ClaimLimits, projectId: string): ProjectShare => projects?.byId.get(projectId) ?? FRESH_SHARE

const isCrowded = (held: number) => held >= FREE_OF_PROJECT_MAX

const remainingShare = (held: number): ProjectShare =>
  isCrowded(held)
    ? { places: Math.max(0, HELD_OF_PROJECT_MAX - held), others: SLOW_ROOM }
    : { places: FREE_OF_PROJECT_MAX - held, others: NEW_ENDPOINT_ROOM }
