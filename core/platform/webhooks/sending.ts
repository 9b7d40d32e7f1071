import type { Lane } from './lane.ts'

/** Requests that Bun has under way at once for all of a process; whatever is asked beyond waits, whoever asks. */
const REQUESTS_MAX = 256
/** Of those, what webhooks may use: the rest is for carriers, payments and models. */
const SENT_MAX = Math.floor(REQUESTS_MAX * 0.75)
/** Of those, what the endpoints of one project use freely; */
const FREE_OF_PROJECT_MAX = Math.floor(REQUESTS_MAX * 0.25)
/** from there on each that has none under way may have one, so that those that answer get on beside those that do not. */
const SENT_OF_PROJECT_MAX = Math.floor(REQUESTS_MAX * 0.375)

/** Deliveries that are being sent now, and whose turn it is where no more may be. */
export class Sending {
  readonly #byProject = new Map<string, number>()
  readonly #heldBack = new Map<string, Set<Lane>>()
  #count = 0

  mayStart({ projectId, inFlight }: Lane) {
    if (this.#count >= SENT_MAX) return false
    return (this.#byProject.get(projectId) ?? 0) < (inFlight === 0 ? SENT_OF_PROJECT_MAX : FREE_OF_PROJECT_MAX)
  }

  begin(lane: Lane) {
    this.#add(lane, 1)
  }

  end(lane: Lane) {
    this.#add(lane, -1)
  }

  /** It has more to send, and is told when it may. */
  holdBack(lane: Lane) {
    const lanes = this.#heldBack.get(lane.projectId) ?? new Set()
    this.#heldBack.set(lane.projectId, lanes.add(lane))
  }

  /** Whose turn it is of those that were held back: in each project that may send, the one that has the least under way. */
  next(): Lane | undefined {
    if (this.#count >= SENT_MAX) return undefined
    for (const [projectId, lanes] of this.#heldBack) {
      const ready = [...lanes].filter((lane) => lane.mayStart)
      const [least] = ready.toSorted((a, b) => a.inFlight - b.inFlight)
      if (least && !this.mayStart(least)) continue
      // Projects take turns, too.
      this.#heldBack.delete(projectId)
      if (!least) continue
      lanes.delete(least)
      if (lanes.size > 0) this.#heldBack.set(projectId, lanes)
      return least
    }
    return undefined
  }

  #add({ projectId }: Lane, by: 1 | -1) {
    this.#count += by
    const ofProject = (this.#byProject.get(projectId) ?? 0) + by
    if (ofProject > 0) this.#byProject.set(projectId, ofProject)
    else this.#byProject.delete(projectId)
  }
}
