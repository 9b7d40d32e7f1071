import { join } from 'node:path'
import type { World } from '../world.ts'

/** CPU time in milliseconds. */
export interface CpuTime {
  readonly server: number
  readonly database: number
}

const MS_PER_TICK = 10

/** Reads the CPU time that the server and its embedded database have used so far. The database's is 0 where it is not its own. */
export async function startCpu({ server, pid }: Pick<World, 'server' | 'pid'>): Promise<CpuTime> {
  const postmaster = Number((await textOf(join(server.dataDir, 'postgres', 'postmaster.pid'))).split('\n')[0])
  const backends =
    postmaster > 0 ? (await Bun.$`ps -o pid= --ppid ${postmaster}`.nothrow().text()).split('\n').map(Number).filter(Boolean) : []
  const times = await Promise.all(backends.map(cpuOf))
  return { server: await cpuOf(await pid()), database: times.reduce((sum, ms) => sum + ms, 0) }
}

/** CPU time that was used since. */
export async function readCpu(of: Pick<World, 'server' | 'pid'>, since: CpuTime): Promise<CpuTime> {
  const now = await startCpu(of)
  return { server: now.server - since.server, database: now.database - since.database }
}

/** User and system time of a process; 0 where it cannot be read. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await textOf(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * MS_PER_TICK
}

const textOf = (file: string) =>
  Bun.file(file)
    .text()
    .catch(() => '')
