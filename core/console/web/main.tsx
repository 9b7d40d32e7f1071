import './styles/tokens.css'
import './styles/fonts.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/fields.css'
import './styles/layout.css'
import './styles/command.css'
import './styles/tables.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { takeNewVersion } from './load-part.ts'
import { followOtherTabs, takeActingEnding } from './session/acting.ts'
import { applyAppearance } from './session/appearance.ts'
import { showToast } from './ui/toast.tsx'
import { loadWords, t } from './words/words.ts'

applyAppearance()
await loadWords()
const root = document.getElementById('app')
if (root) render(<App />, root)
if (takeNewVersion()) showToast(t('newVersion'))
const ending = takeActingEnding()
if (ending) showToast(t(`acting.${ending}`))
followOtherTabs()
