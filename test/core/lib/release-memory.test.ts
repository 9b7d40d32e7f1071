import { afterAll, expect, test } from 'bun:test'
import { releaseMemoryWhenQuiet } from '../../../core/lib/release-memory.ts'
import { until } from '../../support/until.ts'

let [isBusy, usedMs, released] = [false, 0, 0]
const watch = releaseMemoryWhenQuiet({
  everyMs: 5,
  cpuMs: () => {
    if (isBusy) usedMs += 1_000
    return usedMs
  },
  release: () => {
    released += 1
  },
})
afterAll(watch.stop)

test('memory is released once the process is quiet, and not again until it has worked', async () => {
  await until(() => released === 1)
  await Bun.sleep(100)
  expect(released).toBe(1)
  isBusy = true
  await Bun.sleep(100)
  expect(released).toBe(1)
  isBusy = false
  await until(() => released === 2)
})
