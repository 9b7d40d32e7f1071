import { watch } from 'node:fs'
import { join } from 'node:path'
import type { Shelf } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { folderOf } from './accept.ts'
import { type Command, CommandError, type Desk } from './desk.ts'

const PROGRAM = join(import.meta.dir, 'dev-program.ts')
const SETTLE_MS = 40

/** What the program is told to run, as JSON: it knows the kinds by itself. */
export interface DevTask {
  readonly folder: string
  readonly shelf: Shelf
  readonly options: Omit<SandboxOptions, 'report' | 'kinds'>
}

export const dev: Command = {
  takes: '<folder>',
  summary: 'watches an adapter and runs its acceptance suite at every change, until interrupted',
  count: [1, 1],
  async run(desk, target = '') {
    const folder = await folderOf(target)
    desk.say(`Watching ${folder}. A server with ADAPTER_APPROVAL=auto takes each change up by itself.`)
    const stopped = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    let running: Run | undefined
    let next = readied()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async () => {
      running?.kill()
      const began = performance.now()
      const child = next
      running = child
      next = readied()
      void child.stdin.write(JSON.stringify(taskOf(desk, folder)))
      void child.stdin.end()
      const [told, complained] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      if (running !== child) return
      desk.say(`${changesOnly(told)}${complained}── ${Math.round(performance.now() - began)} ms`)
    }
    const watcher = watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(run, SETTLE_MS)
    })
    watcher.on('error', (error) => {
      throw new CommandError(`${folder} cannot be watched: ${error.message}`)
    })
    await run()
    await stopped
    clearTimeout(timer)
    watcher.close()
    running?.kill()
    next.kill()
  },
}

type Run = ReturnType<typeof readied>

/** In a process of its own: whatever a change does, the next one begins afresh. It is started beforehand, so that no change waits for that. */
const readied = () => Bun.spawn([process.execPath, PROGRAM], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })

const taskOf = ({ shelf, options: { kinds: _, ...options } }: Desk, folder: string): DevTask => ({ folder, shelf, options })

/** What a person at work wants to see: what failed, and the sum. */
const changesOnly = (told: string) =>
  told
    .split('\n')
    .filter((line) => !/^ {2}[✓–]/.test(line))
    .join('\n')
