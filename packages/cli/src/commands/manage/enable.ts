import { switchCommand } from '../../manage/take-out.ts'

export default switchCommand('enable')
