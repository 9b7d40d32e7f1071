import { expect, test } from 'bun:test'
import net from 'node:net'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const app = await startApp({ logLevel: 'debug' }, { socket: true })
const { key } = await app.shop()

test('a body that broke off is no failure of ours: it is counted at the level debug', async () => {
  const lines: { level: 'debug' | 'error'; message: string; brokenOff?: number }[] = []
  const { log } = app.context
  const [debug, error] = [log.debug.bind(log), log.error.bind(log)]
  Object.assign(log, {
    debug: (fields: { brokenOff?: number }, message: string) => lines.push({ level: 'debug', message, ...fields }),
    error: (_: object, message: string) => lines.push({ level: 'error', message }),
  })
  try {
    for (const head of ['Content-Length: 900', 'Content-Length: 900000', 'Transfer-Encoding: chunked']) {
      const socket = net.connect(Number(new URL(app.origin).port), '127.0.0.1')
      const begin = head.startsWith('T') ? 'fff\r\n{"storeId":' : '{"storeId":'
      socket.write(
        `POST /v1/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${head}\r\n\r\n${begin}`,
      )
      await Bun.sleep(300)
      socket.destroy()
    }
    const broken = () => lines.filter(({ message }) => message === 'a body broke off before its end')
    await until(() => broken().length >= 1)
    expect(broken().at(-1)).toMatchObject({ level: 'debug', brokenOff: broken().length })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  } finally {
    Object.assign(log, { debug, error })
  }
})
