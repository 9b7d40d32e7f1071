import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../core/config.ts'
import { transaction } from '../../../core/data/sql.ts'
import { isEmailAddress, parseSender } from '../../../core/platform/mail/address.ts'
import { renderMail } from '../../../core/platform/mail/render.ts'
import { nextAttemptAt } from '../../../core/platform/mail/schedule.ts'
import { parseSmtpUrl, senderOf } from '../../../core/platform/mail/server.ts'
import type { MailTemplate } from '../../../core/platform/mail/template.ts'
import { mailTemplates, type TemplateName } from '../../../core/platform/mail/templates/index.ts'
import { startApp } from '../../support/app.ts'
import { type ReadMail, readOutbox } from '../../support/outbox.ts'
import { until } from '../../support/until.ts'

const { context } = await startApp({ publicUrl: 'https://shop.example' })
const { sql, mail, config } = context
const outboxOf = async (to: string): Promise<ReadMail[]> => (await readOutbox(config.dataDir)).filter((one) => one.to === to)
const LINK = 'https://shop.example/go?code=1&to=2'
const languages = ['en', 'fr', 'ar'] as const
const all = Object.entries(mailTemplates) as unknown as [TemplateName, MailTemplate][]
const valuesOf = ({ values, link }: MailTemplate, value: (name: string) => string) =>
  Object.fromEntries(values.map((name) => [name, name === link ? LINK : value(name)]))

describe('every template', () => {
  test.each(all)('%s says all that it is given, in each language, as text and as HTML', (_, template) => {
    for (const language of languages) {
      const said = renderMail(
        template,
        language,
        valuesOf(template, (name) => `the-${name}`),
        'Serai',
      )
      expect([language, said.subject.length > 0]).toEqual([language, true])
      for (const name of template.values.filter(
        (one) => one !== template.link && !(template === mailTemplates.admin_message && one === 'subject'),
      ))
        for (const part of [said.text, said.html]) expect(part).toContain(`the-${name}`)
      if (template.link) {
        expect(said.text).toContain(`\n${LINK}\n`)
        expect(said.html).toContain(`href="${LINK.replace('&', '&amp;')}"`)
      }
      expect(`${said.subject}${said.text}${said.html}`).not.toMatch(/\{\w+\}/)
      expect(said.html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
      // Nothing is loaded from anywhere.
      expect(said.html).not.toMatch(/<(img|link|script|iframe)|url\(|@import|src=/i)
    }
  })

  test.each(all)('%s knows no value but its own', (_, template) => {
    const known = [...template.values, 'service']
    for (const { subject, paragraphs, button = '', after = [] } of Object.values(template.texts)) {
      const used = [subject, ...paragraphs, button, ...after].flatMap((words) => [...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
      expect(used.filter((name) => !known.includes(name))).toEqual([])
      expect(Boolean(template.link)).toBe(button !== '')
    }
  })

  test.each(all)('%s takes whatever people put into it for text on one line', (_, template) => {
    const evil = '<b onclick="x">"&\'</b>\r\nBcc: all@example.dz\u202e\u0000\u2028end'
    const said = renderMail(
      template,
      'ar',
      valuesOf(template, () => evil),
      evil,
    )
    expect(said.subject).not.toMatch(/[\r\n\u202e\u2028\p{Cc}]/u)
    expect(said.html).not.toContain('<b onclick')
    expect(said.html).not.toContain('\u202e')
    if (!template.text) expect(said.text).not.toMatch(/^Bcc/m)
  })
})

test('what an administrator writes keeps its lines, and a link is one', () => {
  const said = renderMail(mailTemplates.admin_message, 'en', { subject: 'Hello', message: 'One\nline\r\n\r\nAnother <p>\u202e' }, 'Shop')
  expect(said.text).toBe('One\nline\n\nAnother <p>\n\nThis message was sent to you by the administrators of Shop.\n')
  expect(said.html).toContain('<p dir="auto">One<br>line</p>')
  for (const link of ['javascript:alert(1)', 'data:text/html,x', 'nothing'])
    expect(() => renderMail(mailTemplates.reset_password, 'en', { code: '1', link }, 'Shop')).toThrow('no address of the web')
  expect(() => renderMail(mailTemplates.verify_email, 'en', { link: LINK }, 'Shop')).toThrow('lacks its value "code"')
})

test('an address is one address', () => {
  for (const good of ['a@b.dz', 'first.last+tag@mail.example.com', "o'neil@xn--e1afmkfd.example", 'a@localhost'])
    expect([good, isEmailAddress(good)]).toEqual([good, true])
  const bad = [
    '',
    'a',
    'a@',
    '@b.dz',
    'a@b@c.dz',
    'a b@c.dz',
    'a@b.dz,c@d.dz',
    'a@b.dz\r\nRCPT TO:<c@d.dz>',
    '<a@b.dz>',
    '"a"@b.dz',
    'a@-b.dz',
    `${'a'.repeat(65)}@b.dz`,
    'a@b..dz',
  ]
  for (const each of bad) expect([each, isEmailAddress(each)]).toEqual([each, false])
  expect(parseSender('My Shop <post@shop.dz>')).toEqual({ name: 'My Shop', address: 'post@shop.dz' })
  expect(parseSender('My, Shop <post@shop.dz>')).toBeNull()
})

describe('settings', () => {
  test('a mail server is read whole, or the start stops with its name and without its password', () => {
    expect(parseSmtpUrl('smtp://me%40x.dz:p%2Fw@mail.example')).toMatchObject({
      host: 'mail.example',
      port: 587,
      secure: false,
      requireTLS: true,
      auth: { user: 'me@x.dz', pass: 'p/w' },
    })
    expect(parseSmtpUrl('smtps://mail.example')).toMatchObject({ port: 465, secure: true, requireTLS: false })
    expect(parseSmtpUrl('smtp://me:pw@mail.example?tls=optional').requireTLS).toBe(false)
    expect(parseSmtpUrl('smtp://me:pw@127.0.0.1:2525').requireTLS).toBe(false)
    for (const wrong of [
      'smtp://me:hush@mail.example:99999',
      'smtp://me:hush@x/y',
      'http://me:hush@x',
      'smtp://me:hush@x?pool=true',
      'smtp://me:%zzhush@x',
    ])
      expect([wrong, messageOf(() => parseSmtpUrl(wrong))]).toEqual([wrong, expect.stringMatching(/^SMTP_URL must be(?!.*hush)/s)])
    expect(messageOf(() => readConfig({ SMTP_URL: 'ftp://me:hush@x' }))).toMatch(/^SMTP_URL must be(?!.*hush)/s)
    expect(messageOf(() => readConfig({ MAIL_FROM: 'nobody' }))).toStartWith('MAIL_FROM must be')
    expect(messageOf(() => readConfig({ DEFAULT_LANGUAGE: 'de' }))).toStartWith('DEFAULT_LANGUAGE must be')
  })

  test('somebody sends, whatever is set', () => {
    const of = (settings: Partial<Parameters<typeof senderOf>[0]>) =>
      senderOf({ mailFrom: undefined, smtpUrl: undefined, publicUrl: undefined, ...settings }).address
    expect(of({})).toBe('no-reply@localhost')
    expect(of({ publicUrl: 'https://shop.example:8443' })).toBe('no-reply@shop.example')
    expect(of({ smtpUrl: 'smtp://me%40x.dz:pw@mail.example' })).toBe('me@x.dz')
    expect(of({ mailFrom: 'A <b@c.dz>', smtpUrl: 'smtp://me%40x.dz:pw@mail.example' })).toBe('b@c.dz')
  })

  test('tries come ever more seldom, and end', () => {
    const waits = Array.from({ length: 9 }, (_, at) => nextAttemptAt(at + 1, 0)!.getTime())
    expect(waits).toEqual(waits.toSorted((a, b) => a - b))
    expect(nextAttemptAt(10)).toBeNull()
  })
})

const messageOf = (work: () => unknown): string => {
  try {
    work()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('without a mail server', () => {
  test('a mail lies in the outbox as a file that nobody else reads, and what it said is forgotten', async () => {
    const to = 'amina@example.dz'
    const written = await transaction(sql, (tx) =>
      mail.send(tx, { to, template: 'verify_email', language: 'ar', values: { code: '482913', link: LINK } }),
    )
    const id = 'id' in written ? written.id : ''
    const [sealed] = await sql`select content from mails where id = ${id}`
    expect(String(sealed?.content)).not.toContain('482913')
    await until(async () => (await sql`select 1 from mails where id = ${id} and state = 'sent'`).length > 0)
    const [got] = await outboxOf(to)
    expect(got).toMatchObject({ to, subject: mailTemplates.verify_email.texts.ar.subject })
    expect(got!.text).toContain('482913')
    expect(got!.html).toContain('dir="rtl"')
    expect(Object.fromEntries(got!.headers)).toMatchObject({
      'message-id': `<${id}@shop.example>`,
      from: 'Serai <no-reply@shop.example>',
      'auto-submitted': 'auto-generated',
    })
    expect((await import('node:fs')).statSync(`${config.dataDir}/outbox/${id}.eml`).mode & 0o077).toBe(0)
    expect(await sql`select content, attempts, last_error from mails where id = ${id}`).toMatchObject([
      { content: null, attempts: 1, lastError: null },
    ])
    expect(await context.mail.state()).toBeNull()
  })

  test('what is rolled back is not sent, what is written once is sent once, and the default language is one of the settings', async () => {
    const code = (to: string, once?: string) => ({ to, template: 'sign_in_code' as const, values: { code: '7' }, ...(once && { once }) })
    await transaction(sql, async (tx) => {
      await mail.send(tx, code('back@example.dz'))
      throw new Error('changed my mind')
    }).catch(() => {})
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => transaction(sql, (tx) => mail.send(tx, code('once@example.dz', 'one thing')))),
    )
    expect(answers.filter((answer) => 'id' in answer)).toHaveLength(1)
    expect(answers.filter((answer) => 'withheld' in answer && answer.withheld === 'before')).toHaveLength(3)
    await until(async () => (await outboxOf('once@example.dz')).length === 1)
    expect((await outboxOf('once@example.dz'))[0]!.subject).toBe('Your sign-in code')
    expect(await sql`select 1 from mails where recipient = 'back@example.dz'`).toHaveLength(0)
    expect(await outboxOf('back@example.dz')).toEqual([])
  })

  test('nobody is flooded, however many ask at once, and however the address is written', async () => {
    const ask = (at: number) =>
      transaction(sql, (tx) =>
        mail.send(tx, { to: at % 2 ? 'Poor@Example.dz' : 'poor@example.dz', template: 'sign_in_code', values: { code: String(at) } }),
      )
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(at)))
    expect(answers.filter((answer) => 'withheld' in answer && answer.withheld === 'flood')).toHaveLength(8)
    const other = await transaction(sql, (tx) =>
      mail.send(tx, { to: 'poor@example.dz', template: 'reset_password', values: { code: '12345678', link: LINK } }),
    )
    expect(other).toMatchObject({ id: expect.any(String) })
    const nobody = await transaction(sql, (tx) =>
      mail.send(tx, { to: 'x@y.dz\r\nRCPT TO:<z@y.dz>', template: 'sign_in_code', values: { code: '1' } }),
    )
    expect(nobody).toEqual({ withheld: 'address' })
  })

  test('what came too late, and what cannot be read any more, is given up', async () => {
    const late = await transaction(sql, (tx) =>
      mail.send(tx, { to: 'late@example.dz', template: 'sign_in_code', values: { code: '1' }, goodUntil: new Date(Date.now() - 1) }),
    )
    const lost = await transaction(sql, async (tx) => {
      const written = await mail.send(tx, { to: 'lost@example.dz', template: 'sign_in_code', values: { code: '1' } })
      await tx`update mails set content = 'v2.00000000.rubbish' where id = ${'id' in written ? written.id : ''}`
      return written
    })
    const ids = [late, lost].map((written) => ('id' in written ? written.id : ''))
    await until(async () => (await sql`select 1 from mails where id = any (${ids}) and state = 'failed' and content is null`).length === 2)
    expect(await outboxOf('late@example.dz')).toEqual([])
  })

  test('old ones are forgotten, with their files', async () => {
    const { utimes, readdir } = await import('node:fs/promises')
    const { deleteOldMails: forget } = await import('../../../core/platform/mail/deliver.ts')
    const folder = `${config.dataDir}/outbox`
    const [first = '', ...others] = await readdir(folder)
    await utimes(`${folder}/${first}`, 1, 1)
    await sql`update mails set created_at = now() - interval '31 days' where id = ${first.replace('.eml', '')}`
    await forget(context, new AbortController().signal)
    expect((await readdir(folder)).filter((name) => name === first)).toEqual([])
    expect((await readdir(folder)).length).toBeGreaterThanOrEqual(others.length)
    expect(await sql`select 1 from mails where id = ${first.replace('.eml', '')}`).toHaveLength(0)
  })
})
