import { expect, test } from 'bun:test'
import { readConfig } from '../../core/config.ts'
import { Settings, settingsByTopic } from '../../core/settings.ts'
import { SETTINGS_FILE, settingsPage } from './settings-page.ts'

test('docs/settings.md is current: write it with bun test/docs/settings-page.ts', async () => {
  expect(await Bun.file(SETTINGS_FILE).text()).toBe(settingsPage())
})

test('every setting is read, belongs to one topic, and has a meaning and the values that it accepts', () => {
  const named = Object.values(settingsByTopic).flatMap((settings) => Object.keys(settings))
  expect(named.toSorted()).toEqual(Object.keys(Settings.properties).toSorted())
  const unclear = Object.entries(Settings.properties).filter(([, { description, accepts }]) => !description?.endsWith('.') || !accepts)
  expect(unclear.map(([name]) => name)).toEqual([])
})

test('an invalid setting stops the start with its name and the values that it accepts', () => {
  const start = () => readConfig({ PORT: '70000', ADAPTER_APPROVAL: 'yes', DATA_DIR: '.data' })
  expect(start).toThrow('PORT must be a port number, 0 for any free one.\nADAPTER_APPROVAL must be ask or auto.')
})
