import { describe, expect, test } from 'bun:test'
import { CircuitBreakers } from '../../../core/integrations/egress/circuit-breakers.ts'
import { redactorOf, redactUrl } from '../../../core/lib/redact.ts'

describe('the circuit breaker', () => {
  const broken = () => {
    let clock = 0
    const breakers = new CircuitBreakers(() => clock)
    for (let at = 0; at < 5; at += 1) {
      expect(breakers.tryEnter('a')).toBe(0)
      breakers.recordFailure('a')
    }
    return { breakers, later: (ms: number) => (clock += ms) }
  }

  test('opens after five failures in a row, for its key alone', () => {
    const { breakers } = broken()
    expect(breakers.tryEnter('a')).toBe(5_000)
    expect(breakers.tryEnter('b')).toBe(0)
  })

  test('a success in between begins the count anew', () => {
    const breakers = new CircuitBreakers(() => 0)
    for (let at = 0; at < 20; at += 1) {
      breakers.recordFailure('a')
      if (at % 4 === 3) breakers.recordSuccess('a')
    }
    expect(breakers.tryEnter('a')).toBe(0)
  })

  test('lets one probe through when its time is over; a good one closes it', () => {
    const { breakers, later } = broken()
    later(5_000)
    expect(breakers.tryEnter('a')).toBe(0)
    expect(breakers.tryEnter('a')).toBeGreaterThan(0)
    breakers.recordSuccess('a')
    expect([breakers.tryEnter('a'), breakers.tryEnter('a')]).toEqual([0, 0])
  })

  test('a bad probe opens it for longer, up to two minutes; one that is never heard of does not hold it for ever', () => {
    const { breakers, later } = broken()
    const waits = Array.from({ length: 8 }, () => {
      later(120_000)
      expect(breakers.tryEnter('a')).toBe(0)
      breakers.recordFailure('a')
      return breakers.tryEnter('a')
    })
    expect(waits).toEqual([10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000, 120_000])
    later(120_000)
    expect(breakers.tryEnter('a')).toBe(0)
    later(60_000)
    expect(breakers.tryEnter('a')).toBe(0)
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

  test('knows them inside other base64, in JSON within JSON, in forms and in escapes of any kind', () => {
    const token = 'ab/cd+ef gh~9'
    const redactToken = redactorOf([token])
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    const texts = [
      ...['', 'u:', 'us:', 'user:'].map((user) => base64(`${user}${token}`)),
      base64(`user:${token}:and more`).replaceAll('+', '-').replaceAll('/', '_'),
      new URLSearchParams({ x: token }).toString(),
      encodeURIComponent(token).toLowerCase(),
      JSON.stringify({ inner: JSON.stringify({ note: `"${token}"` }) }),
      JSON.stringify({ note: token }).replaceAll('/', '\\/'),
    ]
    for (const text of texts) expect([text, redactToken(text).includes('••••')]).toEqual([text, true])
    for (const text of texts.slice(5)) expect(redactToken(text)).not.toMatch(/ef.gh~9/)
  })

  test('knows them in other letters: in hex, in capitals, in small ones, and by halves of a name', () => {
    const token = 'Tok3n/Ab+9é'
    const redactToken = redactorOf([token])
    const hex = Buffer.from(token).toString('hex')
    const echoed = [hex, hex.toUpperCase(), token.toUpperCase(), token.toLowerCase(), encodeURIComponent(token).toUpperCase()]
    for (const text of [...echoed, hex.match(/../g)!.join(':'), `0x${hex}`, JSON.stringify({ note: token.toUpperCase() })])
      expect([text, redactToken(`<${text}>`).includes('••••')]).toEqual([text, true])
    for (const text of echoed) expect(redactToken(`a ${text} b`)).toBe('a •••• b')
    // A pattern of its own is none here.
    expect(redactorOf(['a.c*(d'])('abc A.C*(D')).toBe('abc ••••')
  })

  test('hides what services call a secret in forms, answers, headers and session tokens, and leaves the rest', () => {
    for (const [text, clean] of [
      ['login=lina&password=hunter2&x=1', 'login=lina&password=••••&x=1'],
      ['{"accessToken":"abc","expiresIn":60}', '{"accessToken":"••••","expiresIn":60}'],
      ['{"client_secret": 12345, "page": 2}', '{"client_secret": "••••", "page": 2}'],
      ['{"body":"{\\"refreshToken\\":\\"abc\\",\\"to\\":\\"Oran\\"}"}', '{"body":"{\\"refreshToken\\":\\"••••\\",\\"to\\":\\"Oran\\"}"}'],
      ['{"label":"https://l.example/1.pdf?sig=ff00&id=3"}', '{"label":"https://l.example/1.pdf?sig=••••&id=3"}'],
      ['sent Authorization: Bearer abcdefgh1234', 'sent Authorization: Bearer ••••'],
      ['it was eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'it was ••••'],
      ['{"tracking":"yal-1","monkey":"x","note":"basic delivery"}', '{"tracking":"yal-1","monkey":"x","note":"basic delivery"}'],
    ] as const)
      expect(redact(text)).toBe(clean)
  })

  test('hides every field with the name of a secret, at any depth', () => {
    expect(redact('{"api_token":"zzz","user_guid":"q","name":"Lina"}')).toBe('{"api_token":"••••","user_guid":"••••","name":"Lina"}')
    const url = redactUrl('https://u:p@a.example/label?tracking=T1&X-Amz-Signature=ff00&api_token=zzz&token=1', redact)
    expect(url).toBe('https://a.example/label?tracking=T1&X-Amz-Signature=••••&api_token=••••&token=••••')
  })
})
