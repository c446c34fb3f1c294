/** The Python client as a wheel, with the Python of this machine; `python-package.night.test.ts` has other versions and tools. */
import { installPythonClient } from '../../support/python-client.ts';
import { describePackage } from '../../support/python-package.ts';

describePackage('python3', await installPythonClient());
