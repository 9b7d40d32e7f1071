import type { CarrierConnection } from '../../../integrations/connections/connection.ts'

/** Parcels in the hands of one process. */
const HELD_MAX = 512
/** Of them, those of one project. */
const HELD_OF_PROJECT_MAX = 128
/** Calls to a carrier that takes one parcel at a time; fewer where it counts its calls. */
const SENT_AT_ONCE = 32
const SENT_AT_ONCE_COUNTED = 8
/** Calls to a carrier that takes many, and the parcels in one where it does not say how many. */
const CALLS_AT_ONCE = 2
const SENT_TOGETHER = 50

/** What one account has under way. */
export interface Lane {
  readonly connectionId: string
  readonly projectId: string
  /** Whether somebody is claiming for it now. */
  isOpen: boolean
  calls: number
  parcels: number
  /** Calls that it may have under way; learned when its account was read. */
  callsMax: number
}

/** Who has how much under way: each account within a room of its own, each project within its share. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #projects = new Map<string, number>()
  #held = 0

  get isFull() {
    return this.#held >= HELD_MAX
  }

  /** Accounts and projects that nothing can be taken up for now. */
  closed(): { but: string[]; butOf: string[] } {
    const but = [...this.#lanes.values()].flatMap((lane) => (lane.isOpen || !this.hasRoom(lane) ? [lane.connectionId] : []))
    const butOf = [...this.#projects].flatMap(([projectId, parcels]) => (parcels >= HELD_OF_PROJECT_MAX ? [projectId] : []))
    return { but, butOf }
  }

  open(connectionId: string, projectId: string): Lane {
    const lane = this.#lanes.get(connectionId) ?? { connectionId, projectId, isOpen: true, calls: 0, parcels: 0, callsMax: SENT_AT_ONCE }
    lane.isOpen = true
    this.#lanes.set(connectionId, lane)
    return lane
  }

  close(lane: Lane) {
    lane.isOpen = false
    this.#forgetIfIdle(lane)
  }

  /** So many parcels may be taken up. */
  roomIn(lane: Lane, { mounted: { carrier } }: CarrierConnection): number {
    lane.callsMax = carrier.sendMany ? CALLS_AT_ONCE : carrier.rateWindows.length > 0 ? SENT_AT_ONCE_COUNTED : SENT_AT_ONCE
    const together = carrier.sendMany ? (carrier.sendManyMax ?? SENT_TOGETHER) : lane.callsMax - lane.calls
    const ofProject = HELD_OF_PROJECT_MAX - (this.#projects.get(lane.projectId) ?? 0)
    return Math.max(1, Math.min(together, ofProject, HELD_MAX - this.#held))
  }

  /** A lane that was full has room again when a quarter of it is free: what waits is taken up together. */
  hasRoom = ({ calls, callsMax }: Lane) => calls <= Math.floor(callsMax * 0.75)

  enter(lane: Lane, parcels: number) {
    this.#count(lane, 1, parcels)
  }

  leave(lane: Lane, parcels: number) {
    this.#count(lane, -1, -parcels)
    this.#forgetIfIdle(lane)
  }

  #count(lane: Lane, calls: number, parcels: number) {
    lane.calls += calls
    lane.parcels += parcels
    this.#held += parcels
    const ofProject = (this.#projects.get(lane.projectId) ?? 0) + parcels
    if (ofProject > 0) this.#projects.set(lane.projectId, ofProject)
    else this.#projects.delete(lane.projectId)
  }

  #forgetIfIdle(lane: Lane) {
    if (!lane.isOpen && lane.calls === 0) this.#lanes.delete(lane.connectionId)
  }
}
