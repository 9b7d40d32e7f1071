import { existsSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeAtEnd } from './at-end.ts'

const MEMORY = '/dev/shm'
const MEMORY_BYTES = 6 * 1024 ** 3
const NAME = /^serai-(?:test|run)-(\d+)-/

const folders: string[] = []
closeAtEnd(removeScratch)

/** A folder of this process, which the embedded server's own user can walk into. It is removed after the last test. */
export async function scratchFolder(purpose: 'test' | 'run' = 'test'): Promise<string> {
  const folder = await mkdtemp(join(await scratchHome(), `serai-${purpose}-${process.pid}-`))
  await chmod(folder, 0o711)
  folders.push(folder)
  return folder
}

export async function removeScratch() {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}

/** Databases are made and dropped by the hundred: in memory where there is enough of it. A whole run names its own folder by TMPDIR. */
async function scratchHome(): Promise<string> {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return tmpdir()
  await clearDeadRuns()
  const { bavail, bsize } = await statfs(MEMORY)
  return bavail * bsize >= MEMORY_BYTES ? MEMORY : tmpdir()
}

/** A run that was killed left its folders in memory, and perhaps a database server that works on them. */
async function clearDeadRuns() {
  for (const name of await readdir(MEMORY)) {
    const pid = NAME.exec(name)?.[1]
    if (pid && !isRunning(Number(pid))) removeCluster(join(MEMORY, name))
  }
}

/** Ends the database server of a folder, if one runs, and removes the folder. */
export function removeCluster(folder: string) {
  try {
    process.kill(Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
  } catch {
    // It has ended, or there is none.
  }
  rmSync(folder, { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
