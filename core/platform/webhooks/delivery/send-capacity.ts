import type { EndpointQueue } from './endpoint-queue.ts'

/** Fraction of the process's concurrent requests that webhooks may use. The rest is for carriers, payments and models. */
const WEBHOOK_SHARE = 0.75
/** Fraction that the endpoints of one project may use freely. */
const FREE_OF_PROJECT = 0.25
/** Fraction up to which each idle endpoint of a project may start one delivery, so that slow endpoints do not block it. */
const SHARE_OF_PROJECT = 0.375

/** Counts the deliveries under way, and queues lanes that wait for capacity. */
export class SendCapacity {
  readonly #byProject = new Map<string, number>()
  readonly #waiting = new Map<string, Set<EndpointQueue>>()
  readonly #limit: number
  readonly #ofProject: { readonly free: number; readonly most: number }
  #count = 0

  /** Sets the limits. `requests`: concurrent requests of the process; Bun queues all further ones. */
  constructor(requests: number) {
    this.#limit = Math.floor(requests * WEBHOOK_SHARE)
    this.#ofProject = { free: Math.floor(requests * FREE_OF_PROJECT), most: Math.floor(requests * SHARE_OF_PROJECT) }
  }

  canStart({ projectId, inFlight }: EndpointQueue) {
    if (this.#count >= this.#limit) return false
    const { free, most } = this.#ofProject
    return (this.#byProject.get(projectId) ?? 0) < (inFlight === 0 ? most : free)
  }

  begin(lane: EndpointQueue) {
    this.#add(lane, 1)
  }

  end(lane: EndpointQueue) {
    this.#add(lane, -1)
  }

  /** Registers a lane that waits for capacity. */
  enqueueLane(lane: EndpointQueue) {
    const lanes = this.#waiting.get(lane.projectId) ?? new Set()
    this.#waiting.set(lane.projectId, lanes.add(lane))
  }

  /** Returns the next waiting lane: per project, the one with the fewest deliveries under way. Projects take turns. */
  nextWaiting(): EndpointQueue | undefined {
    if (this.#count >= this.#limit) return undefined
    for (const [projectId, lanes] of this.#waiting) {
      const ready = [...lanes].filter((lane) => lane.canStart)
      const [least] = ready.toSorted((a, b) => a.inFlight - b.inFlight)
      if (least && !this.canStart(least)) continue
      // Moves the project to the end of the queue.
      this.#waiting.delete(projectId)
      if (!least) continue
      lanes.delete(least)
      if (lanes.size > 0) this.#waiting.set(projectId, lanes)
      return least
    }
    return undefined
  }

  #add({ projectId }: EndpointQueue, by: 1 | -1) {
    this.#count += by
    const ofProject = (this.#byProject.get(projectId) ?? 0) + by
    if (ofProject > 0) this.#byProject.set(projectId, ofProject)
    else this.#byProject.delete(projectId)
  }
}
