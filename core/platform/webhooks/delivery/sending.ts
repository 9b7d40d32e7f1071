import type { Lane } from './lane.ts'

/** Of the requests that a process has under way at once, what webhooks may use: the rest is for carriers, payments and models. */
const SHARE = 0.75
/** Of those, what the endpoints of one project use freely; */
const FREE_OF_PROJECT = 0.25
/** from there on each that has none under way may have one, so that those that answer get on beside those that do not. */
const SHARE_OF_PROJECT = 0.375

/** Deliveries that are being sent now, and whose turn it is where no more may be. */
export class Sending {
  readonly #byProject = new Map<string, number>()
  readonly #heldBack = new Map<string, Set<Lane>>()
  readonly #most: number
  readonly #ofProject: { readonly free: number; readonly most: number }
  #count = 0

  /** `requests`: how many Bun has under way at once for all of this process; whatever is asked beyond waits, whoever asks. */
  constructor(requests: number) {
    this.#most = Math.floor(requests * SHARE)
    this.#ofProject = { free: Math.floor(requests * FREE_OF_PROJECT), most: Math.floor(requests * SHARE_OF_PROJECT) }
  }

  mayStart({ projectId, inFlight }: Lane) {
    if (this.#count >= this.#most) return false
    const { free, most } = this.#ofProject
    return (this.#byProject.get(projectId) ?? 0) < (inFlight === 0 ? most : free)
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
    if (this.#count >= this.#most) return undefined
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
