import type { CarrierConnection } from '../../../integrations/connections/connection.ts'

/** Maximum number of parcels that one process submits at a time. */
const HELD_MAX = 512
/** Maximum number of those for one project. */
const HELD_OF_PROJECT_MAX = 128
/** Maximum number of concurrent calls to a carrier that accepts one parcel per call; fewer when it has rate limits. */
const SENT_AT_ONCE = 32
const SENT_AT_ONCE_COUNTED = 8
/** Maximum number of concurrent calls to a carrier that accepts many parcels, and parcels per call if it declares no maximum. */
const CALLS_AT_ONCE = 2
const SENT_TOGETHER = 50

/** Submissions under way for one connection. */
export interface SubmissionLane {
  readonly connectionId: string
  readonly projectId: string
  /** True while a claim for the connection is running. */
  isClaiming: boolean
  calls: number
  parcels: number
  /** Maximum number of concurrent calls; set when the connection is read. */
  callsMax: number
}

/** Limits the submissions under way, per connection and per project. */
export class SubmissionLanes {
  readonly #lanes = new Map<string, SubmissionLane>()
  readonly #projects = new Map<string, number>()
  #held = 0

  get isFull() {
    return this.#held >= HELD_MAX
  }

  /** Connections and projects that have no capacity now. */
  listBlocked(): { excludedConnections: string[]; excludedProjects: string[] } {
    const excludedConnections = [...this.#lanes.values()].flatMap((lane) =>
      lane.isClaiming || !this.hasRoom(lane) ? [lane.connectionId] : [],
    )
    const excludedProjects = [...this.#projects].flatMap(([projectId, parcels]) => (parcels >= HELD_OF_PROJECT_MAX ? [projectId] : []))
    return { excludedConnections, excludedProjects }
  }

  /** Opens the lane of a connection before a claim. */
  open(connectionId: string, projectId: string): SubmissionLane {
    const lane = this.#lanes.get(connectionId) ?? {
      connectionId,
      projectId,
      isClaiming: true,
      calls: 0,
      parcels: 0,
      callsMax: SENT_AT_ONCE,
    }
    lane.isClaiming = true
    this.#lanes.set(connectionId, lane)
    return lane
  }

  /** Closes a lane after a claim, and removes it when it has no calls. */
  close(lane: SubmissionLane) {
    lane.isClaiming = false
    this.#forgetIfIdle(lane)
  }

  /** Number of parcels that may be claimed for a lane; at least one. */
  capacityOf(lane: SubmissionLane, { mounted: { carrier } }: CarrierConnection): number {
    lane.callsMax = carrier.sendMany ? CALLS_AT_ONCE : carrier.rateWindows.length > 0 ? SENT_AT_ONCE_COUNTED : SENT_AT_ONCE
    const together = carrier.sendMany ? (carrier.sendManyMax ?? SENT_TOGETHER) : lane.callsMax - lane.calls
    const ofProject = HELD_OF_PROJECT_MAX - (this.#projects.get(lane.projectId) ?? 0)
    return Math.max(1, Math.min(together, ofProject, HELD_MAX - this.#held))
  }

  /** Returns true when at least a quarter of the lane's calls are free, so that waiting parcels are claimed together. */
  hasRoom = ({ calls, callsMax }: SubmissionLane) => calls <= Math.floor(callsMax * 0.75)

  /** Counts a call that starts, with its parcels. */
  startCall(lane: SubmissionLane, parcels: number) {
    this.#count(lane, 1, parcels)
  }

  /** Counts a call that has ended, with its parcels. */
  endCall(lane: SubmissionLane, parcels: number) {
    this.#count(lane, -1, -parcels)
    this.#forgetIfIdle(lane)
  }

  #count(lane: SubmissionLane, calls: number, parcels: number) {
    lane.calls += calls
    lane.parcels += parcels
    this.#held += parcels
    const ofProject = (this.#projects.get(lane.projectId) ?? 0) + parcels
    if (ofProject > 0) this.#projects.set(lane.projectId, ofProject)
    else this.#projects.delete(lane.projectId)
  }

  #forgetIfIdle(lane: SubmissionLane) {
    if (!lane.isClaiming && lane.calls === 0) this.#lanes.delete(lane.connectionId)
  }
}
