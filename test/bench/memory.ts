import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Memory {
  readonly rssMiB: number
  /** Shared pages divided among those who share them; null where it may not be read. */
  readonly pssMiB: number | null
}

/** Said instead of a figure. */
export const UNREADABLE = 'cannot be read here'

/** The server's own process, not the database's; 0 where it does not say, which is only with a database of its own. */
export async function serverPid(dataDir: string): Promise<number> {
  return Number((await text(join(dataDir, 'server.pid'))).split(' ')[0])
}

/** Null where it cannot be read. */
export async function memoryOf(pid: number): Promise<Memory | null> {
  const rssMiB = field(await text(`/proc/${pid}/status`), 'VmRSS')
  return rssMiB === null ? null : { rssMiB, pssMiB: field(await text(`/proc/${pid}/smaps_rollup`), 'Pss') }
}

const text = (file: string) => readFile(file, 'utf8').catch(() => '')

function field(from: string, name: string): number | null {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(from)?.[1]
  return kib === undefined ? null : Number(kib) / 1024
}

/** Looks again and again until stopped; gives the most there was. */
export function watchMemory(pid: number, everyMs = 200) {
  let peak = 0
  const look = async () => {
    peak = Math.max(peak, (await memoryOf(pid))?.rssMiB ?? 0)
  }
  const timer = setInterval(() => void look(), everyMs)
  return {
    stop() {
      clearInterval(timer)
      return peak
    },
  }
}
