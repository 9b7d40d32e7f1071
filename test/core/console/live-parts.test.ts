import { describe, expect, test } from 'bun:test'
import { type HintBatch, HintGatherer } from '../../../core/console/live/gather-hints.ts'
import { topics } from '../../../core/console/live/live.model.ts'
import { LiveStream, type LiveStreamOptions } from '../../../core/console/live/live-stream.ts'
import { topicOf } from '../../../core/console/live/topics.ts'
import { features } from '../../../core/features.ts'
import { notFound } from '../../../core/lib/errors/domain-error.ts'
import { changeNames } from '../../../core/platform/audit/changes.ts'
import { until } from '../../support/until.ts'

test('live: every webhook event and every recorded change has a topic', () => {
  const events = features.flatMap((feature) => Object.keys('events' in feature ? (feature.events ?? {}) : {}))
  expect(events.length).toBeGreaterThan(20)
  expect([...events, ...changeNames].filter((name) => topicOf(name) === undefined)).toEqual([])
})

describe('gathering of hints', () => {
  function gather() {
    const sent: HintBatch[] = []
    const gatherer = new HintGatherer((batches) => sent.push(...batches), 5)
    return { sent, gatherer }
  }

  test('duplicates within the window are sent once, and each audience has its own', async () => {
    const { sent, gatherer } = gather()
    for (let at = 0; at < 3; at += 1) gatherer.add('project prj_a', { topic: 'order', id: 'ord_1' })
    gatherer.add('user usr_a', { topic: 'notification', id: null })
    expect(sent).toEqual([])
    await until(() => sent.length > 0)
    expect(sent).toEqual([
      { audience: 'project prj_a', access: false, hints: [{ topic: 'order', id: 'ord_1' }] },
      { audience: 'user usr_a', access: false, hints: [{ topic: 'notification', id: null }] },
    ])
    gatherer.add('project prj_a', { topic: 'order', id: 'ord_1' })
    await until(() => sent.length === 3)
  })

  test('more than 50 ids of a topic become one hint without an id', () => {
    const { sent, gatherer } = gather()
    for (let at = 0; at < 5_000; at += 1) gatherer.add('project prj_a', { topic: 'order', id: `ord_${at}` })
    gatherer.add('project prj_a', { topic: 'parcel', id: 'par_1' })
    gatherer.flush()
    expect(sent[0]?.hints).toEqual([
      { topic: 'order', id: null },
      { topic: 'parcel', id: 'par_1' },
    ])
  })

  test('a change of access is sent along', () => {
    const { sent, gatherer } = gather()
    gatherer.addAccessChange('user usr_a')
    gatherer.flush()
    expect(sent).toEqual([{ audience: 'user usr_a', access: true, hints: [] }])
  })
})

describe('a live stream', () => {
  function open(options: Partial<LiveStreamOptions> = {}) {
    const state = { ended: 0 }
    const stream = new LiveStream({
      topics: new Set(topics),
      checkAccess: async () => {},
      onEnd: () => {
        state.ended += 1
      },
      ...options,
    })
    return { stream, state }
  }
  const textOf = (stream: LiveStream) => new Response(stream.body).text()

  test('drops a reader that does not read, with a bounded buffer', () => {
    const { stream, state } = open({ bufferBytes: 2_000 })
    for (let at = 0; at < 100; at += 1) stream.send([{ topic: 'order', id: `ord_${at}` }])
    expect(state.ended).toBe(1)
  })

  test('ends after its life, and tells why', async () => {
    const { stream, state } = open({ lifeMs: 20 })
    expect(await textOf(stream)).toEndWith('event: closed\ndata: {"reason":"expired"}\n\n')
    expect(state.ended).toBe(1)
  })

  test('sends a comment at each beat, and ends when the access is gone', async () => {
    let beats = 0
    const { stream } = open({
      heartbeatMs: 5,
      checkAccess: async () => {
        beats += 1
        if (beats === 3) throw notFound('The store')
      },
    })
    const text = await textOf(stream)
    expect(text.split('\n: \n').length).toBeGreaterThan(2)
    expect(text).toEndWith('{"reason":"access_changed"}\n\n')
  })

  test('stays open while the database cannot say whether the access is gone', async () => {
    const { stream, state } = open({ checkAccess: () => Promise.reject(new Error('The database is away.')) })
    await stream.recheck()
    expect(state.ended).toBe(0)
    stream.close('shutdown')
  })

  test('ends once when its reader leaves', async () => {
    const { stream, state } = open()
    await stream.body.cancel()
    stream.send([{ topic: 'order', id: 'ord_1' }])
    stream.close('shutdown')
    expect(state.ended).toBe(1)
  })
})
