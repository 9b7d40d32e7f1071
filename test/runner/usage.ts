import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a tick, in which `/proc` counts the time of a processor. */
const TICK_MS = 10

interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly name: string
  /** Computed by it and by its children that have ended. */
  readonly computedMs: number
}

/**
 * Returns what the batch of this process has computed, in milliseconds: the process, all that it started, and database servers of its own. Returns
 * zero where there is no `/proc`.
 */
export function computedByBatch(pid: number): number {
  const processes = listProcesses()
  const servers = serversIn(processes, `serai-test-${pid}-`)
  return sum(processes.filter((each) => each.group === pid || servers.has(each.pid) || servers.has(each.parent)))
}

/** Returns what the database server of this folder has computed, in milliseconds. */
export function computedByServer(folder: string): number {
  const processes = listProcesses()
  const servers = serversIn(processes, folder)
  return sum(processes.filter((each) => servers.has(each.pid) || servers.has(each.parent)))
}

/** Database servers whose folder has this in its path. */
const serversIn = (processes: readonly Process[], path: string) =>
  new Set(processes.filter(({ name, pid }) => name === 'postgres' && read(`/proc/${pid}/cmdline`).includes(path)).map(({ pid }) => pid))

const sum = (processes: readonly Process[]) => processes.reduce((total, { computedMs }) => total + computedMs, 0)

function listProcesses(): Process[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []))
  } catch {
    return []
  }
}

/** Reads `/proc/<pid>/stat`, as proc(5) describes it. */
function readProcess(pid: number): Process[] {
  const [name = '', rest = ''] = / \((.*)\) (.*)/s.exec(read(`/proc/${pid}/stat`))?.slice(1) ?? []
  if (rest === '') return []
  const [, parent = 0, group = 0, ...fields] = rest.split(' ').map(Number)
  const computedMs = fields.slice(8, 12).reduce((total, ticks) => total + ticks, 0) * TICK_MS
  return [{ pid, parent, group, name, computedMs }]
}

/** Returns an empty text when the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
