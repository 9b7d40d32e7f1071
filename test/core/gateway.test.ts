import { describe, expect, test } from 'bun:test'
import { Breakers } from '../../core/gateway/breaker.ts'
import { redactorOf, redactUrl } from '../../core/gateway/redact.ts'

describe('the circuit breaker', () => {
  const broken = () => {
    let clock = 0
    const breakers = new Breakers(() => clock)
    for (let at = 0; at < 5; at += 1) {
      expect(breakers.enter('a')).toBe(0)
      breakers.failed('a')
    }
    return { breakers, later: (ms: number) => (clock += ms) }
  }

  test('opens after five failures in a row, for its key alone', () => {
    const { breakers } = broken()
    expect(breakers.enter('a')).toBe(5_000)
    expect(breakers.enter('b')).toBe(0)
  })

  test('a success in between begins the count anew', () => {
    const breakers = new Breakers(() => 0)
    for (let at = 0; at < 20; at += 1) {
      breakers.failed('a')
      if (at % 4 === 3) breakers.succeeded('a')
    }
    expect(breakers.enter('a')).toBe(0)
  })

  test('lets one probe through when its time is over; a good one closes it', () => {
    const { breakers, later } = broken()
    later(5_000)
    expect(breakers.enter('a')).toBe(0)
    expect(breakers.enter('a')).toBeGreaterThan(0)
    breakers.succeeded('a')
    expect([breakers.enter('a'), breakers.enter('a')]).toEqual([0, 0])
  })

  test('a bad probe opens it for longer, up to two minutes; one that is never heard of does not hold it for ever', () => {
    const { breakers, later } = broken()
    const waits = Array.from({ length: 8 }, () => {
      later(120_000)
      expect(breakers.enter('a')).toBe(0)
      breakers.failed('a')
      return breakers.enter('a')
    })
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000, 120_000])
    later(120_000)
    expect(breakers.enter('a')).toBe(0)
    later(60_000)
    expect(breakers.enter('a')).toBe(0)
  })
})

describe('redaction', () => {
  const secret = 'p@ss/word+1="é'
  const redact = redactorOf([secret, 'abc', 'token-123456'])

  test('takes secrets out as they are, as addresses, JSON and base64 write them', () => {
    const texts = [
      `x ${secret} y`,
      `https://a.example/?k=${encodeURIComponent(secret)}`,
      JSON.stringify({ note: secret }),
      `Basic ${Buffer.from(secret).toString('base64')}`,
      'Bearer token-123456',
    ]
    for (const text of texts) {
      const clean = redact(text)
      expect(clean).toContain('••••')
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), 'token-123456'])
        expect(clean).not.toContain(form)
    }
    // Three letters are no secret that could be told from a word.
    expect(redact('abc')).toBe('abc')
  })

  test('hides what is called a secret, whoever it belongs to', () => {
    expect(redact('{"api_token":"zzz","user_guid":"q","name":"Lina"}')).toBe('{"api_token":"••••","user_guid":"••••","name":"Lina"}')
    const url = redactUrl('https://u:p@a.example/label?tracking=T1&X-Amz-Signature=ff00&api_token=zzz&token=1', redact)
    expect(url).toBe('https://a.example/label?tracking=T1&X-Amz-Signature=••••&api_token=••••&token=••••')
  })
})
