import { watch } from 'node:fs'
import { join } from 'node:path'
import type { AdapterSources } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { resolveAdapterFolder } from './accept.ts'
import { type Command, type CommandContext, CommandError } from './command-context.ts'

const PROGRAM = join(import.meta.dir, 'dev-program.ts')
const DEBOUNCE_MS = 40

/** Task of the program `dev-program.ts`, as JSON. It knows the kinds itself. */
export interface DevTask {
  readonly folder: string
  readonly shelf: AdapterSources
  readonly options: Omit<SandboxOptions, 'report' | 'kinds'>
}

/** Watches a folder and runs its suite after each change. */
export const devCommand: Command = {
  takes: '<folder>',
  summary: 'watches an adapter and runs its acceptance suite after every change, until interrupted',
  count: [1, 1],
  async run(desk, target = '') {
    const folder = await resolveAdapterFolder(target)
    desk.say(`Watching ${folder}. A server with ADAPTER_APPROVAL=auto loads each change itself.`)
    const stopped = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    let running: Run | undefined
    let next = startRun()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async () => {
      running?.kill()
      const began = performance.now()
      const child = next
      running = child
      next = startRun()
      void child.stdin.write(JSON.stringify(taskOf(desk, folder)))
      void child.stdin.end()
      const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      if (running !== child) return
      desk.say(`${failuresOnly(output)}${errors}── ${Math.round(performance.now() - began)} ms`)
    }
    const watcher = watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(run, DEBOUNCE_MS)
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

type Run = ReturnType<typeof startRun>

/** Starts a process for the next run ahead of time. A process of its own begins each run afresh, and no change waits for its start. */
const startRun = () => Bun.spawn([process.execPath, PROGRAM], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })

const taskOf = ({ shelf, options: { kinds: _, ...options } }: CommandContext, folder: string): DevTask => ({ folder, shelf, options })

/** Removes the lines of passed and skipped cases. */
const failuresOnly = (output: string) =>
  output
    .split('\n')
    .filter((line) => !/^ {2}[✓–]/.test(line))
    .join('\n')
