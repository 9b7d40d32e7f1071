import { watch } from 'node:fs'
import { folderOf } from './accept.ts'
import { type Command, CommandError } from './desk.ts'

const SETTLE_MS = 40

export const dev: Command = {
  takes: '<folder>',
  summary: 'watches an adapter and runs its acceptance suite at every change, until interrupted',
  count: [1, 1],
  async run(desk, target) {
    const folder = await folderOf(target!)
    desk.say(`Watching ${folder}. A server with ADAPTER_APPROVAL=auto takes each change up by itself.`)
    const stopped = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    let running: Bun.Subprocess | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async () => {
      running?.kill()
      const began = performance.now()
      // In a process of its own: whatever a change does, the next one begins afresh.
      const child = Bun.spawn([process.execPath, process.argv[1]!, 'adapter', 'accept', folder], { stdout: 'pipe', stderr: 'pipe' })
      running = child
      const [told, complained] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      if (running === child) desk.say(`${changesOnly(told)}${complained}── ${Math.round(performance.now() - began)} ms`)
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
  },
}

/** What a person at work wants to see: what failed, and the sum. */
const changesOnly = (told: string) =>
  told
    .split('\n')
    .filter((line) => !/^ {2}[✓–]/.test(line))
    .join('\n')
