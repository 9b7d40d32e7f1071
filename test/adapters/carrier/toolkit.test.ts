import { describe, expect, test } from 'bun:test'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { createStorage, shipment } from '../../../plugins/carrier/acceptance.ts'
import * as kit from '../../../plugins/carrier/index.ts'

const dayMs = 24 * HOUR_MS
const recipient = (phone: string, phoneAlt?: string) => ({ name: 'Karim', phone, ...(phoneAlt !== undefined && { phoneAlt }) })
const codeOf = (attempt: () => unknown) => {
  try {
    attempt()
  } catch (error) {
    return (error as kit.CarrierError).upstream.code
  }
}

describe('what does not answer', () => {
  const asked = (thrown: Error) =>
    kit
      .ask({ fetch: () => Promise.reject(thrown), now: Date.now }, 'Atlas', 'https://atlas.example/')
      .catch((error: unknown) => error as kit.CarrierError)

  test('is unavailable', async () => {
    expect(await asked(new TypeError('fetch failed'))).toMatchObject({ reason: 'unavailable', message: 'Atlas did not answer.' })
  })

  test('where the host held the call back its own words are told, since they say what to do', async () => {
    const held = Object.assign(new Error('Atlas has not been answering; it is asked again in 20 s.'), { name: 'CarrierFailure' })
    expect(await asked(held)).toMatchObject({ name: 'AdapterError', reason: 'unavailable', message: held.message, cause: held })
  })

  test('what an adapter said itself stays as it is', async () => {
    const said = new kit.CarrierError('rate_limited', 'Slow down.')
    expect(await asked(said)).toBe(said as never)
  })
})

describe('recipients', () => {
  test('numbers come once each, the first of the recipient’s own first', () => {
    const told = kit.phonesOf(recipient('0550000001 / +213550000001, 0550000002', '0550000003'))
    expect(told).toEqual({ first: '0550000001', others: ['0550000002', '0550000003'], warnings: [] })
    expect(codeOf(() => kit.phonesOf(recipient('+33612345678', '0550000001')))).toBe('bad_phone')
  })

  test('a number that is not sent is warned about, an empty one is none', () => {
    expect(kit.phonesOf(recipient('0550000001', 'call me')).warnings.map(({ code }) => code)).toEqual(['phone_alt_dropped'])
    expect(kit.phonesOf(recipient('0550000001', ' ')).warnings).toEqual([])
  })

  test('of three numbers two are taken', () => {
    const two = kit.twoPhones(recipient('0550000001', '0550000002'), 'Atlas')
    expect(two).toEqual({ first: '0550000001', second: '0550000002', warnings: [] })
    const { second, warnings } = kit.twoPhones(recipient('0550000001,0550000002', '0550000003'), 'Atlas')
    expect([second, warnings.map(({ code }) => code)]).toEqual(['0550000002', ['phone_alt_dropped']])
    expect(kit.twoPhones(recipient('0550000001'), 'Atlas')).toEqual({ first: '0550000001', warnings: [] })
  })

  test('a person with one name has it twice, one without is refused', () => {
    expect(kit.twoNames({ name: ' Karim  Ben Ali ' })).toEqual({ first: 'Karim', rest: 'Ben Ali' })
    expect(kit.twoNames({ name: 'Karim' })).toEqual({ first: 'Karim', rest: 'Karim' })
    expect(codeOf(() => kit.nameOf({ name: ' ' }))).toBe('bad_name')
  })
})

describe('places', () => {
  const wilayas = [
    { id: 16, name: 'Alger' },
    { id: 31, name: 'Oran' },
  ]
  const desks = [
    { id: 5, code: '31A', name: 'Oran centre' },
    { id: 6, code: '31B', name: 'Es Senia' },
  ]

  test('a wilaya is found by its number, else by its name, else refused', () => {
    expect(kit.wilayaAmong(wilayas, '31', 'Alger').id).toBe(31)
    expect(kit.wilayaAmong(wilayas, 'DZ-16', 'ALGER').id).toBe(16)
    expect(codeOf(() => kit.wilayaAmong(wilayas, '99', 'Nowhere'))).toBe('unknown_place')
  })

  test.each([
    [undefined, undefined],
    ['07', 7],
    ['x', -1],
  ])('of state id %p is wilaya %p', (stateId, id) => expect(kit.wilayaIdIn(stateId)).toBe(id))

  test('another country and a return point are refused', () => {
    const { destination } = shipment()
    expect(codeOf(() => kit.withinAlgeria({ ...destination, country: 'FR' }, 'Atlas', 'desks'))).toBe('bad_country')
    expect(codeOf(() => kit.withinAlgeria({ ...destination, deliveryType: 'return_point' }, 'Atlas', 'desks'))).toBe('bad_type')
    expect(kit.withinAlgeria(destination, 'Atlas', 'desks')).toBeUndefined()
  })

  test('a desk is chosen by its id however that is written', async () => {
    const byId = (pickupId?: string) =>
      kit.chosenDesk(
        pickupId,
        'desk',
        async () => desks,
        ({ id }) => id,
      )
    expect((await byId(' 06')).name).toBe('Es Senia')
    expect(
      (
        await kit.chosenDesk(
          '31a',
          'desk',
          async () => desks,
          ({ code }) => code,
        )
      ).id,
    ).toBe(5)
    await expect(byId('7')).rejects.toMatchObject({
      upstream: { code: 'unknown_center' },
      message: expect.stringContaining('6 (Es Senia)'),
    })
  })

  test('without a choice nobody is asked for desks', async () => {
    const asked = kit.chosenDesk(
      undefined,
      'desk',
      () => Promise.reject(new Error('asked')),
      () => '',
    )
    await expect(asked).rejects.toMatchObject({ upstream: { code: 'center_missing' } })
  })

  test('another commune than the desk’s is said to be rewritten', () => {
    expect(kit.rewritten('desk', 'Es Senia', 'ES-SÉNIA')).toEqual([])
    expect(kit.rewritten('desk', 'Es Senia', '')).toEqual([])
    expect(kit.rewritten('desk', 'Es Senia', 'Oran').map(({ code }) => code)).toEqual(['destination_rewritten'])
  })
})

describe('notes', () => {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const context = { connectionId: 'int_notes', storage: createStorage(), now: () => clock.now }
  const keys = async (kind: string) => (await context.storage.list(`${kind}:`)).map(({ key }) => key)

  test('a status keeps the time when it was first seen, a new one has its own', async () => {
    const first = await kit.firstSeen(context, 'T1', 'moving')
    clock.now += HOUR_MS
    expect(await kit.firstSeen(context, 'T1', 'moving')).toBe(first)
    expect(await kit.firstSeen(context, 'T1', 'delivered')).toBe(new Date(clock.now).toISOString())
  })

  test('they do not pile up: what was not written anew for 120 days goes, and nothing else', async () => {
    for (let at = 0; at < 2500; at += 1) await kit.note(context, 'pile', `old-${String(at).padStart(4, '0')}`, { at })
    clock.now += 100 * dayMs
    await kit.note(context, 'pile', 'young', {})
    await kit.note(context, 'pile', 'old-0007', { again: true })
    clock.now += 21 * dayMs
    // A thousand an hour, so three writings go once around.
    for (let hour = 0; hour < 4; hour += 1) {
      clock.now += HOUR_MS + 1
      await kit.note(context, 'pile', 'young', {})
    }
    expect(await keys('pile')).toEqual(['pile:old-0007', 'pile:young'])
    expect(await kit.noteOn(context, 'pile', 'old-0007')).toMatchObject({ again: true })
    expect(await keys('seen')).toEqual(['seen:T1'])
  })

  test('what is forgotten is gone', async () => {
    await kit.forget(context, 'pile', 'young')
    expect(await kit.noteOn(context, 'pile', 'young')).toBeUndefined()
  })
})

describe('outcomes', () => {
  const [good, bad] = [shipment(), shipment()]

  test('what is refused is refused alone; any other failure stops all', async () => {
    const translate = async ({ reference }: kit.Shipment) => (reference === bad.reference ? kit.refuse('bad_name', 'No name.') : reference)
    const { ready, refused } = await kit.translateEach([good, bad], translate)
    expect([ready, refused]).toEqual([[good.reference], [{ reference: bad.reference, refused: { code: 'bad_name', message: 'No name.' } }]])
    const failing = kit.translateEach([good], () => Promise.reject(new kit.CarrierError('unavailable', 'No answer.')))
    await expect(failing).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('one reason of failure has another answer, others stay', async () => {
    const failing = (reason: kit.CarrierError['reason']) =>
      Promise.reject(new kit.CarrierError(reason, 'No.')).catch(kit.where('not_found', () => []))
    expect(await failing('not_found')).toEqual([])
    await expect(failing('refused')).rejects.toMatchObject({ reason: 'refused' })
  })

  test('a payout is paid once all of it is', () => {
    const line = (amount: number, status: kit.CashStatus) => ({ trackingId: `T${amount}`, amount, status })
    expect(kit.payoutOf('P', [line(100, 'paid_out'), line(250, 'payout_ready')])).toMatchObject({
      status: 'payout_ready',
      amount: 350,
      parcels: 2,
    })
    expect(kit.payoutOf('P', [line(100, 'paid_out')]).status).toBe('paid_out')
  })

  test('a rate for each way that has a price and was asked for', () => {
    expect(kit.dinarRates({ home: 500, pickup: null })).toEqual([
      { service: 'standard', deliveryType: 'home', price: 500, currency: 'DZD' },
    ])
    expect(kit.dinarRates({ home: 500, pickup: 300 }, 'pickup').map(({ price }) => price)).toEqual([300])
  })

  test('a label is a PDF or none', () => {
    const answer = (words: string) => ({ words, bytes: new TextEncoder().encode(words) })
    expect(kit.pdfLabel('Atlas', 'T1', answer('%PDF-1.4'))).toEqual({
      trackingId: 'T1',
      contentType: 'application/pdf',
      base64: btoa('%PDF-1.4'),
    })
    expect(() => kit.pdfLabel('Atlas', 'T1', answer('<html>'))).toThrow('T1')
  })
})

describe('answers', () => {
  test('rows that cannot be read are left out and counted', () => {
    const logged: unknown[] = []
    const log = (message: string, fields?: object) => void logged.push({ message, ...fields })
    expect(kit.readable({ log }, [{ at: 1 }, {}], ({ at }: { at?: number }) => at)).toEqual([1])
    expect(logged).toEqual([{ message: 'left out rows that cannot be read', rows: 1 }])
    expect(kit.readable({ log }, [], () => 1)).toEqual([])
    expect(logged.length).toBe(1)
  })

  test('steps are told oldest first; of one moment in the order of the feed', () => {
    const step = (name: string, second: number) => ({ name, at: new Date(second * 1000).toISOString() })
    const names = (steps: { name: string; at: string }[]) =>
      kit
        .oldestFirst(steps)
        .map(({ name }) => name)
        .join('')
    expect(names([step('a', 1), step('b', 2), step('c', 2)])).toBe('abc')
    expect(names([step('c', 2), step('b', 2), step('a', 1)])).toBe('abc')
    expect(names([])).toBe('')
  })

  test('values are taken as they may be written', () => {
    expect([kit.word(5), kit.word(' x '), kit.word(' '), kit.word(null)]).toEqual(['5', 'x', undefined, undefined])
    expect([kit.amount('12.5'), kit.amount(-1), kit.amount('x')]).toEqual([12.5, undefined, undefined])
    expect([kit.webAddress('https://a.example'), kit.webAddress('javascript:1')]).toEqual(['https://a.example', undefined])
    expect([kit.pointAt('36.7', 3), kit.pointAt(91, 3), kit.pointAt('', '')]).toEqual([{ latitude: 36.7, longitude: 3 }, {}, {}])
    expect(kit.present({ a: 1, b: undefined, c: null })).toEqual({ a: 1, c: null })
  })

  test('labels that come one a call keep their order, and more than a minute fetches are refused', async () => {
    const wanted = Array.from({ length: 20 }, (_, at) => `T${at}`)
    const labelOf = async (trackingId: string) => {
      await Bun.sleep(trackingId === 'T0' ? 10 : 0)
      return { trackingId, contentType: 'application/pdf', base64: 'x' }
    }
    expect((await kit.labelsEach(wanted, labelOf)).map(({ trackingId }) => trackingId)).toEqual(wanted)
    expect([20, 19].map((most) => codeOf(() => kit.atMostLabels(most, wanted, 'Atlas')))).toEqual([undefined, 'too_many_labels'])
  })

  test('a text is cut between its letters', () => {
    expect(['abc', 'ab🎁', 'a🎁c', '🎁'].map((words) => kit.beginning(words, 3))).toEqual(['abc', 'ab', 'a🎁', '🎁'])
  })

  test('a cursor names a page, or is refused', () => {
    expect([kit.pageIn(), kit.pageIn('7')]).toEqual([1, 7])
    for (const cursor of ['', '0', '-1', '1.5', 'x']) expect(codeOf(() => kit.pageIn(cursor))).toBe('bad_cursor')
  })

  test('a day is one of the carrier’s zone', () => {
    const lateInGreenwich = Date.UTC(2026, 10, 21, 23, 30)
    expect(['+01:00', '+00:00', '-00:30'].map((zone) => kit.dayIn(lateInGreenwich, zone))).toEqual([
      '2026-11-22',
      '2026-11-21',
      '2026-11-21',
    ])
  })

  test('a digest is the same at every try', async () => {
    expect(kit.toHex(await kit.sha256('abc'))).toStartWith('ba7816bf8f01cfea')
  })
})
